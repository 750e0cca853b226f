"""Privacy for all k: guarantees, and the routes by which they are shown."""
