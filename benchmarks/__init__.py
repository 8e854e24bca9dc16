"""Benchmarks: `python -m benchmarks` prints one table; run it on a machine that is otherwise idle."""
