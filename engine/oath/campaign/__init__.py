"""The Campaign (O-6): one module for each thought, `flow` for the order of its steps."""
