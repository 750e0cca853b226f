r"""Markdown of others on a page: HTML in which nothing runs and nothing is fetched.

nbconvert's renderer has doors for what notebooks may do elsewhere: diagrams that a script draws, pictures from
anywhere, links of every kind. Here formulas are MathML, code is text, a picture is the words that describe it, and a
link leads to the web or to another place of the page.

>>> print(markdown_html("# *Sums*\n\n$x^2$ ![a map](http://x/y.png) [here](javascript:z) <b>"))
<h1><em>Sums</em></h1>
<p><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math> a map here &lt;b&gt;</p>
<BLANKLINE>
>>> print(markdown_html('<span style="color:#0a6b45">yes</span> <span style="color:red;x:y">no</span>'), end="")
<p><span style="color:#0a6b45">yes</span> &lt;span style=&quot;color:red;x:y&quot;&gt;no</span></p>
>>> print(markdown_html("```mermaid\n<img src=x onerror=run()>\n```"))
<pre><code>&lt;img src=x onerror=run()&gt;
</code></pre>
<BLANKLINE>
"""

from __future__ import annotations

import html
import re

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from symdp.report.page.mathml import formula

_WEB = re.compile(r"(?:https?://|mailto:|#)[^\s\"'<>\\]*")


def markdown_html(source: str) -> str:
    """A text of Markdown as HTML."""
    return str(MarkdownWithMath(renderer=_Typeset(escape=True, allow_harmful_protocols=False,
                                                  exclude_anchor_links=True)).render(source))


def formula_html(tex: str, display: bool = False) -> str:
    r"""MathML; the TeX itself, as code, in the rare case that it cannot be converted.

    >>> formula_html(r"\unheardof x")
    '<code>\\unheardof x</code>'
    """
    return str(formula(" ".join(tex.split()).removeprefix(r"\displaystyle "), display))


#: The one HTML that our own Markdown has: a colour around a verdict.
COLOUR = re.compile(r'<span style="color:(?:#[0-9a-f]{6}|[a-z]+)">|</span>')


class _Typeset(IPythonRenderer):
    def inline_html(self, html: str) -> str:
        return html if COLOUR.fullmatch(html) else str(super().inline_html(html))

    def block_math(self, body: str) -> str:
        return formula_html(body, display=True)

    def inline_math(self, body: str) -> str:
        return formula_html(body)

    def multiline_math(self, text: str) -> str:
        return formula_html(text, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        return formula_html(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def block_code(self, code: str, info: str | None = None) -> str:
        return f"<pre><code>{html.escape(code)}</code></pre>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return f'<a href="{html.escape(url)}">{text}</a>' if _WEB.fullmatch(url) else text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return html.escape(html.unescape(re.sub(r"<[^>]*>", "", text)))
