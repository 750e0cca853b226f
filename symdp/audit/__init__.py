"""The audit: every claim of the literature brought to the tool that settles it."""
