"""The pages of the application."""
