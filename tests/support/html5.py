"""What stands in a page, as a browser would see it."""

from html.parser import HTMLParser


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)


def elements_of(page: str) -> set[str]:
    """The names of its elements."""
    parser = _Elements()
    parser.feed(page)
    parser.close()
    return parser.seen
