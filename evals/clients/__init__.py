"""Other people's clients, unchanged, in a spoken exchange with the simulated service."""
