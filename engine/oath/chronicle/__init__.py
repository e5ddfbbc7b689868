"""The Chronicle after a game (O-18): what its winner decides, and what is left for the next one."""
