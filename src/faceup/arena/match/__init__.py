"""Everything about one match: referee, players, protocols, terms, result and replay."""
