"""6 nimmt! by the batch."""
