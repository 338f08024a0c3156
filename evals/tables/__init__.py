"""The tables that the scorers carry, made again from the interviews they were made from."""
