"""What the sources say: one module per theorem, found by scanning this folder."""
