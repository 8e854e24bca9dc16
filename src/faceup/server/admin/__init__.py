"""What whoever runs a server does to its database, from outside of the servers that run on it."""
