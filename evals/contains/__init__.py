"""Does an utterance contain the planned question: every scorer on labelled pairs, and the judge beside them."""
