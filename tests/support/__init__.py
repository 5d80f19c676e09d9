"""Shared by tests: real public data where it is laid beside the checkout."""
