"""Benchmarks that anyone can run again, and their committed results."""
