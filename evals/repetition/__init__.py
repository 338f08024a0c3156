"""How well the scorers tell questions apart, on labelled pairs."""
