"""Steinke's post on composition: basic composition, when it is the best, and a preview of more."""

from symdp.sources.statement import Source

blog = Source(
    key="blog",
    title="Composition (DifferentialPrivacy.org)",
    cite="steinke2022post",
    symbols={"slack": r"\delta", "total epsilon": r"\varepsilon", "total delta": r"\delta"},
)
