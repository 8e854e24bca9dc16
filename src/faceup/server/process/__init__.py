"""A server process: settings, start and stop, sockets, logs and metrics."""
