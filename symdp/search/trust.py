"""What a verdict relies on, in one order and in one way: words first, then what is cited, then the kernel's rules.

>>> trusted = trust_of(words=["that the coin is fair"], cited=["kov/thm-2.5"], rules=["cut", "enclosure"])
>>> trusted
('that the coin is fair', 'cited: kov/thm-2.5', 'rule cut', 'rule enclosure')
>>> trust_line(trusted)
'on trust: that the coin is fair; cited: kov/thm-2.5; kernel rules: cut, enclosure'
>>> trust_line([])
''
"""

from __future__ import annotations

from collections.abc import Iterable

RULE = "rule "


def trust_of(
    *,
    words: Iterable[str] = (),
    cited: Iterable[str] = (),
    theorems: Iterable[str] = (),
    claims: Iterable[str] = (),
    rules: Iterable[str] = (),
) -> tuple[str, ...]:
    """Trust as data: what is in words, what is cited, theorems that rules rest on, claims used, and rules."""
    return tuple(dict.fromkeys((
        *words, *(f"cited: {text}" for text in cited), *sorted(theorems),
        *(f"claim {id}" for id in sorted(claims)), *(f"{RULE}{name}" for name in sorted(rules)),
    )))


def trust_line(trust: Iterable[str]) -> str:
    """Trust as one line of text; empty where there is nothing to trust."""
    trust = tuple(trust)
    others = [text for text in trust if not text.startswith(RULE)]
    rules = [text.removeprefix(RULE) for text in trust if text.startswith(RULE)]
    parts = [f"on trust: {'; '.join(others)}"] if others else []
    if rules:
        parts.append(f"kernel rules: {', '.join(rules)}")
    return "; ".join(parts)
