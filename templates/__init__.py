"""Every text that a person reads; installed as `pbem.templates`."""
