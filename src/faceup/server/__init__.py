"""The server: live tables, their store, accounts, and the HTTP and WebSocket API."""
