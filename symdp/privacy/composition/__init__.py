"""Many mechanisms as one, with error bars."""
