r"""Where an argument turns: a name gets another meaning, a supposition ends, a case is closed.

What was in force before such a point may be in force no more. Whoever keeps it proves another claim than the one that
is written. So it is kept in mind only: nothing is proved by it, and nothing is refuted that holds with it.

>>> substituted("Replace # by #."), substituted("We put # in place of #."), substituted("Swap # and #.")
([0], [1], [0, 1])
>>> ends("a contradiction. "), ends("Suppose, for contradiction, that #."), ends("Then we are done.")
(True, False, True)
>>> turns_away("Otherwise #."), turns_away("In both cases, #."), turns_away("In this case #.")
(True, True, False)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symdp.formulas.relation import Op, Relation
from symdp.papers.formulas.conditions import Condition
from symdp.papers.sentences.context import Hypothesis
from symdp.papers.sentences.elsewhere import letters

#: What is replaced stands first.
_REPLACES = re.compile(
    r"\b(?:replac|substitut|exchang|renam|relabel|chang|transform|turn|convert|rescal|shift|mov|translat)[a-z]*"
    r"(?:\s+(?:the|our|this|each|every|variables?|parameters?|letters?|everywhere|here|now|back)){0,3}\s+#"
    r"[^#]{0,25}?\b(?:by|with|to|through)\b(?! the (?:bound|formula|inequality|estimate|definition|equation))",
    re.IGNORECASE,
)
#: What is replaced stands second.
_INSTEAD = re.compile(
    r"#[^#.;]{0,15}?\b(?:in place of|instead of|in lieu of|in the (?:place|role) of)\s+#"
    r"|\b(?:substitut|plug|insert|us)[a-z]*\s+#\s+for\s+#",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"#\s+(?:can|may|could|is|are|was|were|has|will|being|be)\b[a-z\s]{0,20}\b(?:replaced|substituted"
    r"|exchanged)\b", re.IGNORECASE
)
#: Any of the names near it may be meant.
_CHANGES = re.compile(
    r"\b(?:substitut(?!ing #\s*(?:,|into|in\b|gives|yields|we))[a-z]*|replac(?:e|es|ed|ing|ements?)|renam[a-z]+"
    r"|relabel[a-z]*|rescal[a-z]+|reparametri[sz][a-z]+|interchang[a-z]+|swap[a-z]*|exchang[a-z]+"
    r"|chang(?:e|es|ing|ed)(?: of)?(?: the)? (?:variables?|notations?|names?|coordinates?|units?|meanings?)"
    r"|abuse of notation|(?:roles?|meanings?|names?) of|(?:by|with) (?:a )?slight abuse"
    r"|writ(?:e|es|ing)(?= # (?:for|again for|instead)\b)|again (?:by|denoted)|still (?:by|denoted?|call(?:ed)?"
    r"|writ\w+)"
    r"|(?:denot|call)\w*(?= (?:it|them|this|the result|its \w+)[^#.]* (?:again|still|also)?[^#.]*#)"
    r"|from (?:now|here) on(?=,? # (?:denotes?|is|means|stands)\b)|redefin[a-z]+|reset[a-z]*|updat[a-z]+"
    r"|overwrit[a-z]+"
    r"|(?:in|de)creas(?:e|ing)(?= # (?:by|to)\b)|(?:in|de)crement[a-z]*|(?:doubl|halv|negat|squar)(?:e|ing)(?= #)"
    r"|invert(?:ing)?(?= #)"
    r"|(?:shift|translat|reflect|transform)(?:s|ing|ed|e)?\b)\b",
    re.IGNORECASE,
)
#: Something is done to the name behind it.
ACTS_ON = re.compile(
    r"\b(?:flip|normali[sz]|rescal|truncat|clip|round|reus|overload|perturb|updat|modif|alter|mov|rais|lower"
    r"|shrink|enlarg"
    r"|doubl|halv|negat|multipl|divid|scal|centr|center|reflect|shift|invert"
    r"|redefin)"
    r"[a-z]*(?:\s+(?:the|our|sign|signs|of|letter|symbol|variable|name|notation|both|each|value|values)){0,4}\s*$",
    re.IGNORECASE,
)
#: Subtract 1 from x.
ADDED = re.compile(
    r".*\b(?:subtract|add|append|tak)(?:s|e|es|ed|ing)? # (?:from|to|away from|on)", re.IGNORECASE | re.DOTALL
)
#: What a name is from here on, where it was something else.
IS_ANOTHER = re.compile(
    r"\s*(?:now |henceforth |from (?:now|here) on )?(?:is|denotes?|means?|stands? for|will be|becomes?)\s+(?:now "
    r"|again )?"
    r"(?:an? |the |some )?(?:different|another|new|changing|varying|other|fresh)\b"
    r"|[^#.;]{0,40}\b(?:may|can|might|will|could) (?:change|differ|vary|be different|depend)\b|\s*(?:be|denotes?"
    r"|denote) "
    r"(?:the|another|a new|its|their)\s+(?!(?:\w+\s+){0,2}(?:integers?|reals?|numbers?|constants?|parameters?)\b)"
    r"(?=\w+(?:\s+(?:of|between|from|again|instead))?\b[^#]*$)(?=.*\b(?:difference|rest|remainder|inverse|reciprocal"
    r"|logarithm|square|root|negative|opposite|complement|result|new|other|quotient|ratio|sum|product)\b)",
    re.IGNORECASE,
)
#: c denotes a number in (0, 1), c stands for some constant.
STANDS_FOR = re.compile(
    r"\s*(?:now |henceforth |from (?:now|here) on |again |here |will |shall |may )*"
    r"(?:denot(?:es?|ing)|stand(?:s|ing)? for|represent(?:s|ing)?)\s+(?:an?|any|some)\b",
    re.IGNORECASE,
)
#: A name that is only where something takes place: convex in x, a function of x.
STANDS_IN = re.compile(
    r"\b(?:in|of|over|on|respect to|all|every|any|each|at|function|map|when|as|where|if|and|variable|between|both"
    r"|than"
    r"|increasing|decreasing|near|around|against|than)\s*$",
    re.IGNORECASE,
)
#: Words by which one of two formulas is put for the other.
RENAMES = re.compile(
    r"\b(?:set|let|denot\w*|writ\w*|abbreviat\w*|call\w*|with|pass\w*|go|going|put\w*|us(?:e|es|ing)|switch\w*"
    r"|turn\w*|chang\w*"
    r"|replac\w*|renam\w*|tak(?:e|es|ing)|mov\w*|insert\w*|plug\w*)\b[^#.;]{0,30}$",
    re.IGNORECASE,
)
IF_NECESSARY = re.compile(
    r"\b(?:if (?:necessary|needed|need be|required)|when necessary|(?:without|no) loss|w\.?l\.?o\.?g|by symmetry"
    r"|we (?:may|can)"
    r" assume|otherwise)\b",
    re.IGNORECASE,
)
_ACTS_ON_ALL = re.compile(
    r"^\W*(?:(?:now|next|then|so|and|let us|we|finally|first)\W+){0,3}(?:doubl|halv|swap|interchang|exchang"
    r"|replac|rescal|renam"
    r"|relabel|normali[sz]|flip|invert|negat|squar|shift|permut|rotat|updat)[a-z]*\s+(?:(?:both|all|them"
    r"|everything|these|each"
    r"|the|their|its|our)\b)[^#]*$",
    re.IGNORECASE,
)
#: x -> x - 1, in such a sentence.
UNDER = re.compile(r"\b(?:under|via|through|by|with|upon|after|apply(?:ing)?|map|transformation)\s*$", re.IGNORECASE)
ARROW = re.compile(
    r"\s*(\\?[A-Za-z]+)\s*\\(?:mapsto|longmapsto|to|gets|leftarrow|rightarrow|longrightarrow)(?![A-Za-z])"
)

#: A formula with a name alone, for all values of it.
EVERY = re.compile(
    r"(?:\b(?:all|every|any|each|arbitrary|forall|general|whatever|no matter (?:what|how|which)(?: (?:small|large))?"
    r"|regardless of|irrespective of|independent(?:ly)? of|uniformly (?:in|over|for)|varying)"
    r"(?:\s+(?:the\s+)?(?:values?|choices?|choice|possible|such|real|positive|size|value)(?: of)?)*)\s*$",
    re.IGNORECASE,
)
#: For every real y > 0: the same before a bound, of whatever the name stood for; whenever y > 0: of a number.
FOR_EVERY = re.compile(r"\b(?:all|every|any|each|arbitrary|forall)\b(?:\s+[a-z-]+){0,3}\s*$", re.IGNORECASE)
QUANTIFIES = re.compile(r"\b(?:for|whenever|given|over|ranging|with)\b(?:\s+[a-z-]+){0,3}\s*$", re.IGNORECASE)
#: The same behind the name: let y vary, whatever y is.
EVERY_BEHIND = re.compile(
    r"\s*(?:vary|varies|varying|range|ranges|ranging|run|runs|running|(?:is|be|are|was) (?:now |again )?(?:arbitrary"
    r"|any(?!where|thing| of)|free|general|allowed|permitted)|may be (?:any|chosen|arbitrary)|again\b|afresh|anew)",
    re.IGNORECASE,
)
#: The same within a formula.
EVERY_INSIDE = re.compile(
    r"(?:\\forall|\\(?:text\w*|mbox|hbox|mathrm)\s*\{[^{}]*\b(?:all|every|any|each|arbitrary)\b[^{}]*\})"
    r"(?:\s|~|\\[,;:! ])*((?:\\?[A-Za-z]+)(?:\s*,\s*\\?[A-Za-z]+)*)"
)

#: For contradiction: it is announced, and not yet there.
_ANNOUNCED = re.compile(
    r"\b(?:for|to|towards?|by|by way of|for the sake of|aim(?:ing)? (?:for|at)|seek(?:ing)?|want|hop(?:e|ing)"
    r"|expect(?:ing)?"
    r"|until|look(?:ing)? for|arriv(?:e|ing) at|reach|obtain|derive|get|lead(?:s|ing)? to)"
    r"\s+(?:(?:an?|the|some|our|by)\s+)?(?:contradiction|contrary|absurdum)\b"
    r"|\b(?:suppose|assume|assuming|supposing|on|were|if)\s+(?:that\s+)?(?:on\s+)?the contrary\b"
    r"|\bcontrary to (?:what|our)\b",
    re.IGNORECASE,
)
_CONTRADICTION = re.compile(
    r"\b(?:contradict(?:ions?|s|ing|ed|ory)?|contrary|absurd(?:ity|um)?|impossib(?:le|ility|ly)|nonsense|inconsistent"
    r"|incompatible|cannot (?:be|happen|occur|hold)|can not (?:be|happen|occur|hold)|can't (?:be|happen)"
    r"|conflicts? with|violat(?:es?|ing)|a violation|ruled? out|rules out|refutes?|does not (?:occur|happen)"
    r"|never (?:occurs|happens))\b|\\(?:bot|lightning|Lightning|contradiction|blitza)\b|\bq\.?e\.?a\b",
    re.IGNORECASE,
)
_WHAT = (
    r"(?:claims?|results?|statements?|assertions?|lemma|theorem|proposition|corollary|conclusion|inequality|bound"
    r"|estimate"
    r"|proof|argument|case|it|this|that|everything|all|matter|thing|there|step|part|direction|implication)"
)
#: A case, or a proof, is closed.
_CLOSES = re.compile(
    r"\b(?:done|finish(?:ed|es|ing)?|happy|happily|stop|quit|halt|nothing (?:(?:left|more|else|further) )?(?:to"
    r"|is|remains|left)"
    r"|settle[sd]?|over|qed|win|complet(?:e|es|ed|ing) the|conclud(?:es|ing) the|establish(?:es|ed)"
    r"|as (?:claimed|required|desired|wanted|needed)|in good shape|no problem|need not (?:worry|care|do)|disposed? of"
    r"|through)\W*(?:here|then|now|with (?:it|this|that)|in this case|at once|already|immediately|anyway|(?:the "
    r"|this |that |our )"
    rf"?{_WHAT}(?: of (?:the|this|that|our) [a-z]+)?)?\W*$"
    rf"|\b{_WHAT}\b(?:\s+[a-z]+){{0,4}}?\s+(?:trivial(?:ly)?|clear(?:ly)?|immediate(?:ly)?|obvious(?:ly)?"
    rf"|evident(?:ly)?"
    r"|easy|easily|follows?|holds?|true|valid|vacuous(?:ly)?|empty|void|excluded|complete|finished|done|known"
    r"|shown|proved"
    r"|proven|established|standard)(?:\s+(?:here|then|too|also|now|trivially|immediately|at once|directly|from it"
    r"|easily"
    r"|in this case|with room to spare|and we [a-z ]+))*\W*$"
    r"|\\(?:qed|qedhere|square|blacksquare|Box)\b|[□∎■]",
    re.IGNORECASE,
)
#: A sign by which a direction of a proof is announced.
DIRECTION = re.compile(
    r"[(\s]*\\(?:Long)?(?:Rightarrow|Leftarrow|rightarrow|leftarrow|implies|impliedby|subseteq|supseteq|le"
    r"|ge)[\s).:]*"
)
_TURNS = re.compile(
    r"\W*(?:(?:and|but|so|now|then|finally|however|thus|hence|therefore|similarly|likewise|we|let|us|it|next"
    r"|second(?:ly)?)\W+)"
    r"{0,3}(?:otherwise|else|elsewhere|conversely|on the other hand|(?:in|for) general\b|if (?:not|this (?:is not"
    r"|fails)"
    r"|it (?:is not|fails))|in (?:any|either|both|all|every|each) (?:case|event|situation|of (?:the|these|both))s?"
    r"|either way|anyway|regardless|in every case|altogether|combining|putting (?:this|these|both|the)"
    r"|(?:in |for |consider |treat |turn to |to )*(?:the|its|this|their|our) "
    r"(?:other|remaining|second|third|last|next|opposite|converse|reverse|complementary|latter|former|contrary"
    r"|alternative"
    r"|general|rest)(?!\s+(?:direction|inequality|step|line|term|sum|factor|equality|bound|estimate|identity|part"
    r"|side"
    r"|relation|one))"
    r"|step (?:\d+|two|three|[a-z]\b)|(?:part|claim|fact|stage|item) (?:\d+|two|three|[b-z]\b|ii+\b|iv\b)"
    r"|secondly|second,"
    r"|third(?:ly)?,|for the (?:lower|upper|other|second|converse|reverse|opposite|remaining|last) (?:bound"
    r"|direction|inequality"
    r"|part|claim|statement|estimate|implication|case)|sufficiency|necessity|converse|uniqueness|existence"
    r"|(?:lower|upper) bound\s*[.:]|(?:remains|rest|left)\b|\(?(?:ii|iii|iv|v|vi|b|c|d|2|3|4)\)|without (?:this"
    r"|that|the|any|these"
    r"|our)\b(?! loss)|unconditional)",
    re.IGNORECASE,
)
#: A case of which it is only said that it is another one.
_REMAINING = re.compile(
    r"\b(?:remaining|other|opposite|second|third|general|last|next|complementary|converse) (?:cases?"
    r"|possibilit\w+"
    r"|situations?|alternatives?|regimes?)\b|\bcase (?:2|3|4|5|ii|iii|iv|two|three|b|c)\b|\bboth cases\b"
    r"|\ball cases\b",
    re.IGNORECASE,
)
#: The case x > 1 is similar: it is spoken of, and not opened.
_SPOKEN_OF = re.compile(
    r"\s*,?\s*(?:which\s+)?(?:is|was|are|were|has|have|had|can|will|would|could|follows?|being|needs?|requires?"
    r"|reduces?|works?"
    r"|goes|remains?|must|may|should|does|do|cannot|causes|makes|poses|leads|led)\b",
    re.IGNORECASE,
)
#: The other case, and nothing else.
_OTHERWISE = re.compile(
    r"\W*(?:(?:and|but|so|now)\W+)?(?:otherwise|else|if not)\b(?! (?:stated|noted|put|said|mentioned|specified"
    r"|known|if))",
    re.IGNORECASE,
)
#: Words by which a sentence has a condition, in formulas or not.
_HAS_CONDITION = re.compile(
    r"\b(?:if|when|whenever|suppose|assume|assuming|supposing|case|cases|unless|provided|either|or"
    r"|let)\b", re.IGNORECASE
)
#: What is supposed so is an example, and no more than that.
EXAMPLE = re.compile(
    r"\b(?:for (?:example|instance|illustration|definiteness|the moment|now|a moment|a while)|e\.g\.|to illustrate"
    r"|as an? (?:example|illustration)|imagine|temporarily|momentarily|in an example|think of|toy)\b",
    re.IGNORECASE,
)
#: Something is supposed in words: suppose not.
_IN_WORDS = re.compile(
    r"^\W*(?:(?:so|now|then|thus|hence|and|first|next|we|let us|for|by|towards?|to|seeking)\W+){0,3}"
    r"(?:suppos|assum)(?:e|ing)\b[^#]*\b(?:not|contrary|otherwise|opposite|false|fails|wrong|converse"
    r"|contradiction)\b[^#]*$",
    re.IGNORECASE,
)
_OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def substituted(sentence: str) -> list[int]:
    """The formulas, by their number, whose names are put for something else; formulas are written as #.

    >>> substituted("We replace the letter # by #."), substituted("Substituting # into the bound, we get #.")
    ([0], [])
    >>> substituted("The constant # can be replaced by #, since # for all #.")
    [0]
    >>> substituted("With the change of variables # it becomes #."), substituted("Then #.")
    ([0, 1], [])
    """

    def number(end: int) -> int:
        return sentence[:end].count("#") - 1

    found = _REPLACES.search(sentence)
    if found:
        return [number(sentence.index("#", found.start()) + 1)]
    found = _INSTEAD.search(sentence)
    if found:
        return [number(found.end())]
    found = _REPLACED.search(sentence)
    if found:
        return [number(found.start() + 1)]
    found = _CHANGES.search(sentence)
    if not found:
        return []
    behind = sentence[: found.start()].count("#")
    return list(range(max(0, behind - 2), min(behind + 2, sentence.count("#"))))


def acts_on_all(sentence: str) -> bool:
    """Whether a sentence without formulas does something to what was written before it.

    >>> acts_on_all("Now double both."), acts_on_all("We swap the roles."), acts_on_all("We prove the claim.")
    (True, True, False)
    """
    return _ACTS_ON_ALL.search(sentence) is not None


def ends(words: str) -> bool:
    """Whether words say that a contradiction is reached, or that a case is closed.

    >>> ends("which is impossible."), ends("so the claim follows."), ends("This contradicts the choice.")
    (True, True, True)
    >>> ends("we show that #."), ends("it follows that #."), ends("by the first claim.")
    (False, False, False)
    """
    said = _ANNOUNCED.sub(" ", words)
    return _CONTRADICTION.search(said) is not None or _CLOSES.search(words.rstrip()) is not None


_ELSEWHERE = re.compile(
    r"\b(?:whereas|in general|generally|always|otherwise|unconditionally|regardless|conversely|on the other hand"
    r"|in any case"
    r"|everywhere|else)\b(?! (?:for|if|when|at) *$)",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\s*,?\s*(?:holds? )?(?:always|in general|everywhere|unconditionally|regardless|in any case)\b", re.IGNORECASE
)


def goes_elsewhere(before: str, after: str) -> bool:
    """Whether a clause of a sentence leaves the condition of the clause before it.

    >>> goes_elsewhere(", but in general only", ""), goes_elsewhere(";", "always."), goes_elsewhere("and", "")
    (True, True, False)
    """
    return _ELSEWHERE.search(before) is not None or _ALWAYS.match(after) is not None


def reaches_contradiction(words: str) -> bool:
    """Whether words say that something cannot be.

    >>> reaches_contradiction("#, a contradiction."), reaches_contradiction("#, and we are done.")
    (True, False)
    """
    return _CONTRADICTION.search(_ANNOUNCED.sub(" ", words)) is not None


def turns_away(sentence: str) -> bool:
    """Whether a sentence speaks of another case than the one before it, or of all of them.

    >>> turns_away("It remains to treat the other case."), turns_away("The second inequality is #.")
    (True, False)
    """
    return _TURNS.match(sentence) is not None or _REMAINING.search(sentence) is not None


def supposes_in_words(sentence: str) -> bool:
    """Whether a sentence supposes something without a formula, that is likely to be false.

    >>> supposes_in_words("Suppose not."), supposes_in_words("Assume the contrary."), supposes_in_words("Assume #.")
    (True, True, False)
    """
    return _IN_WORDS.search(sentence) is not None


_TAKES_BACK = re.compile(
    r"\bno longer (?:assum|suppos|requir|need|impos|insist)\w*"
    r"(?: (?:this|that|it|these|them|any of (?:this|these)))?\s*\W*$"
    r"|\b(?:drop|remov|lift|relax|discard|forget|abandon|giv)(?:e|es|s|ping|ing)?(?: up)? "
    r"(?:this|that|the|these|those|all|our|any)(?: [a-z]+)? "
    r"(?:assumptions?|conditions?|restrictions?|hypothes[ie]s|constraints?|requirements?)\s*\W*$",
    re.IGNORECASE,
)
_SUPPOSES_NOT = re.compile(
    r"^\W*(?:(?:so|now|then|thus|hence|and|first|next|we|let us)\W+){0,3}(?:suppos|assum)(?:e|ing)\s+"
    r"(?:not|otherwise|the (?:contrary|opposite|converse)|it (?:fails|is false|were false))\b",
    re.IGNORECASE,
)


def takes_back(sentence: str) -> bool:
    """Whether a sentence without formulas says that what was supposed is not supposed any more.

    >>> takes_back("We no longer assume this."), takes_back("We drop this condition."), takes_back("We assume it.")
    (True, True, False)
    """
    return "#" not in sentence and _TAKES_BACK.search(sentence) is not None


def supposes_not(sentence: str) -> bool:
    """Whether a sentence supposes the contrary, before it says what that gives.

    >>> supposes_not("Suppose not, so that #."), supposes_not("Suppose that # is not 1.")
    (True, False)
    """
    return _SUPPOSES_NOT.match(sentence) is not None


def is_otherwise(sentence: str) -> bool:
    """Whether a sentence begins with the word for the other case.

    >>> is_otherwise("Otherwise, #."), is_otherwise("Otherwise stated, #."), is_otherwise("If #, then #.")
    (True, False, False)
    """
    return _OTHERWISE.match(sentence) is not None


def without_otherwise(sentence: str) -> str:
    """The rest of such a sentence.

    >>> without_otherwise("Otherwise, #.")
    ', #.'
    """
    return _OTHERWISE.sub("", sentence, count=1)


def conditions_in(sentence: str) -> int:
    """How many words of a sentence open a condition.

    >>> conditions_in("If #, we are done."), conditions_in("If # or if the coin shows heads, #.")
    (1, 3)
    """
    return len(_HAS_CONDITION.findall(sentence))


_LEFT_OUT = re.compile(
    r"\b(?:reader|exercise|leave|left|omit|skip|ignore|postpone|defer|avoid|neglect|disregard|exclude)[a-z]*\b[^#]*$",
    re.IGNORECASE,
)


def is_spoken_of(before: str, after: str) -> bool:
    """Whether the words around a case say something of it, and do not treat it.

    >>> is_spoken_of("the case", "is similar."), is_spoken_of("We omit the case", "."), is_spoken_of("In case", "we")
    (True, True, False)
    """
    return _SPOKEN_OF.match(after) is not None or _LEFT_OUT.search(before) is not None


def opposites(relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """What holds where one of the relations does not.

    >>> from sympy import Integer, Symbol
    >>> [str(r) for r in opposites([Relation(Symbol("x"), ">", Integer(1))])]
    ['x <= 1']
    """
    return tuple(Relation(r.left, _OPPOSITE[r.op], r.right) for r in relations if r.op in _OPPOSITE)


def kept_in_mind(said: Hypothesis, *, opposite: bool) -> Hypothesis:
    """A hypothesis that may be in force no more: it keeps others from being refuted, and so may its opposite."""
    relations = (*said.condition.relations, *said.condition.perhaps)
    more = opposites(said.condition.relations) if opposite else ()
    hidden = letters(said.text) if said.condition.members or said.condition.unequal else said.vague
    return Hypothesis(Condition(perhaps=(*relations, *more)), said.text, said.line, "words", hidden)
