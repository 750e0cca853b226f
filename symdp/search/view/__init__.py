"""The kernel's rules as the search sees them: goals of SymPy's expressions."""
