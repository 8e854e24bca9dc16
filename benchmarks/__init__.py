"""How fast it is: `python -m benchmarks` prints one table, worth keeping if the machine did nothing else."""
