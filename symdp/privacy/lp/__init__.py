"""Linear programs in exact arithmetic."""
