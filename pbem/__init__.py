"""Long board games by e-mail: the shell around `pbem.engine`."""

__version__ = "0.1.0"
