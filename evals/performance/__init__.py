"""How fast and how large, as ratios to a limit or a peer measured in the same run."""
