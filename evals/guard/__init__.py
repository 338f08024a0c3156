"""The repeat guard: planted repeats in simulated calls, off, warning and on; and the threshold it goes by."""
