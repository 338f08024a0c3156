"""The repeat guard: planted repeats in simulated calls, off and on; and the threshold it goes by."""
