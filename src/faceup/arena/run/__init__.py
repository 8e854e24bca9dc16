"""Play the matches of a schedule and store them in a log, with worker processes or on a cluster."""
