"""Simulated calls in which everything goes wrong that can: each is checked against the truth and against itself."""
