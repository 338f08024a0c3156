"""The words of the interview: plan, question, turn, notes, decision, outcome."""
