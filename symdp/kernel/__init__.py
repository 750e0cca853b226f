"""The trusted room: terms, rules, certificates and the checker. It imports the standard library and
python-flint, and nothing else; its README explains what *proved* means."""

from symdp.kernel import functions as functions
