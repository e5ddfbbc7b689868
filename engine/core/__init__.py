"""Seats, questions, dice, facts, tapes: what every game here is made of. It knows no turn, card or map."""
