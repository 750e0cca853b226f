"""A product over a range of integers, as a term of the kernel."""

from symdp.kernel.terms import Term, binder, close


def product_over(index: str, low: Term, high: Term, body: Term) -> Term:
    return binder("product", low, high, close(body, index), index)
