"""Reports on matches, as HTML pages, from a local web server, and as text, JSON and CSV."""
