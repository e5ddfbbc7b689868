"""The games and what they share: pure, synchronous, without clock, files or chance of its own."""
