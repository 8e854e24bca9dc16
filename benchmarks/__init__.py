"""How fast it is: `python -m benchmarks` prints one table."""
