"""The kernel's rules as the search sees them: goals of SymPy's expressions."""

from symdp.search.view import calculus, paving, rules  # noqa: F401 - the rules register themselves
