"""Privacy for all k: promises, and the routes by which they are shown."""
