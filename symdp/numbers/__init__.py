r"""How large things are: ranges and signs of SymPy's expressions, all of them the kernel's."""
