"""The migrations: each file is one step and names the step before it."""
