"""What the search found, as steps of the kernel, and derived rules as steps of basic ones."""
