"""Mailboxes that are polled."""
