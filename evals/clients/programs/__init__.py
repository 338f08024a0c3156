"""Other people's clients, each in the same spoken exchange. They run where this project is not installed."""
