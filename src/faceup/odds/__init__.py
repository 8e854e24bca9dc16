"""What chance has in store: exact where it can be counted, with intervals where it has to be sampled."""
