"""The audit as one page."""
