"""Check whether a bot program follows its protocol."""
