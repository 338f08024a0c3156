"""Does a follow-up return to the same conversation? Repeats and new details, and what is rebuilt from transcripts."""
