"""Worker processes for bots and replays. The modules avoid heavy imports, so that the processes start quickly."""
