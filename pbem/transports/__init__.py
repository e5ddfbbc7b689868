"""Ways to hand over letters."""
