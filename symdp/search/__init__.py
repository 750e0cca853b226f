"""Search: untrusted tactics that propose steps to the kernel.

>>> from symdp.search.prove import check
>>> check("cosh(x) <= exp(0.499*x^2)").status.value
'refuted'
"""
