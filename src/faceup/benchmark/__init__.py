"""Frozen benchmarks of agents: definition, scoring, signed submissions, and the leaderboard.

Everything that plays needs the extra `arena`.
"""
