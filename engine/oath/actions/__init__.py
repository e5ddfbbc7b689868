"""The actions of the Act phase, major ones and minor ones (O-5 to O-7), one module each."""
