r"""A document -> its relations in order, each with what is in force there; what needs no judge has its verdict here.

>>> from symdp.papers.text.source_text import Sources
>>> sources = Sources()
>>> text = sources.add("p.tex", r"Let $x > 0$ and set $c = 2x$. Then $$c \le 3x + 1/2\sigma^2.$$")
>>> from symdp.papers.finding import Finding
>>> [(e.verdict, e.tex) if isinstance(e, Finding) else e for e in read_document(sources, text)]
[('assumption', 'x > 0'), ('definition', 'c = 2x'), ('unread', 'c \\le 3x + 1/2\\sigma^2')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sympy import Symbol

from symdp.formulas.relation import Relation
from symdp.papers.formulas.conditions import Condition, has_bare_name
from symdp.papers.sentences.context import Hypothesis, Meaning, in_force, is_parameter, of_each
from symdp.papers.sentences.elsewhere import (
    EXCLUDES,
    EXISTS,
    letter_of,
    letters,
    once,
    said_of_all,
    with_sayings,
)
from symdp.papers.sentences.parts import EVERYWHERE, Phrase, is_bound, is_equation
from symdp.papers.sentences.roles import DENIES, EXCEPTED, UNLESS, describes, goes_on, role_of
from symdp.papers.sentences.second_look import left_name, second_look
from symdp.papers.sentences.survey import survey_document
from symdp.papers.sentences.turned import Turned
from symdp.papers.sentences.turning_points import (
    DIRECTION,
    ends,
    goes_elsewhere,
    is_spoken_of,
    kept_in_mind,
    supposes_not,
    turns_away,
    without_otherwise,
)
from symdp.papers.text.says_more import OR, denies, frees, is_supposed, says_more
from symdp.papers.text.source_text import Sources, Text
from symdp.papers.text.walking import (
    Directive,
    EnvironmentEnd,
    Item,
    Label,
    Math,
    Opened,
    Paragraph,
    Prose,
)
from symdp.papers.work import Entry, Work
from symdp.sources.derivations.expressions import relation_variables, variables_of
from symdp.sources.derivations.scope import related

_ABBREVIATIONS = (
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bEq\.)(?<!\bThm\.)(?<!\bresp\.)(?<!\bw\.r\.t\.)(?<!\bvs\.)"
)
_END = re.compile(rf"(?<=[.!?]){_ABBREVIATIONS}(?:\s+(?=[A-Z(\"`'0-9])|\s*$)|(?<=^[.!?])(?:\s+|$)")
_OPENS_CASE = re.compile(
    r"\W*(?:(?:first|second|third|next|now|then|finally|so|and|we|it|us|let|to|of|the|in|for|consider|suppose|assume|treat|"
    r"begin|start|with|remains|turn)\W+){0,6}case\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\s*(?:otherwise|conversely|in general|for general|on the other hand|without|near|away|elsewhere|however|but"
    r"|now|next|for other|for all|for every|for any)\b",
    re.IGNORECASE,
)
_SHARP = re.compile(r"\b(?:equality|sharp|tight|attained|iff|only if|maxim\w+|minim\w+|cases)\b", re.IGNORECASE)
#: Behind these words, a condition of a list speaks of other values.
_AGAIN = re.compile(r"\b(?:for|if|when|whenever|every|all|any|each|case|or|respectively)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:if|when|whenever|unless|where|were it|is|does|do)\s+not\s*$", re.IGNORECASE)
_JOINS = re.compile(r"\W*(?:and\W+)?(?:with|such that|satisfy(?:ing)?|subject to|where)\W*", re.IGNORECASE)
#: There, at this point: where the sentence before was.
_THERE = re.compile(
    r"\s*(?:and\s+)?(?:there(?!\s+(?:is|are|exists?|was|were|will|must|can|may|remains?|has|have|cannot)\b)"
    r"|(?:at|for|with|in) (?:this|that|which|these) "
    r"(?:point|value|values|choice|choices|optimum|minimum|maximum|minimi[sz]er|maximi[sz]er|setting|case))\b",
    re.IGNORECASE,
)
_FOR_A_WHILE = re.compile(r"\b(?:suppos|assum|case)", re.IGNORECASE)
_EVERY_PROOF = re.compile(
    r"\b(?:every|all|each)(?: of)?(?: our| the)? (?:proofs?|lemmas?|theorems?|sections?|results?) assumes?\b",
    re.IGNORECASE,
)


def _says_more_of_them(before: str) -> bool:
    """Whether a condition goes on with a list, of the names that were declared in it."""
    if _AGAIN.search(before):
        return False
    return role_of(before) is None or goes_on(before) or describes(before) or _JOINS.fullmatch(before) is not None


#: If $A$, then $B$; and for $C$ we have $D$: the words before C begin a clause of their own.
_CLAUSE = re.compile(
    r";|\b(?:and|but|while|whereas|yet|or)\s+(?:(?:also|then|even|again|only)\s+)?"
    r"(?:for|if|when|whenever|on|in case|once|as soon as)\b",
    re.IGNORECASE,
)


def _in_another_clause(parts: Sequence[Phrase], number: int) -> list[Hypothesis]:
    """Conditions that stand behind a claim, in a clause that has a claim of its own."""
    found: list[Hypothesis] = []
    another = False
    for place, part in enumerate(parts[number + 1 :], number + 1):
        another = another or _CLAUSE.search(part.before) is not None
        if another and part.condition is not None and any(p.role == "claim" for p in parts[place + 1 :]):
            found.append(part.condition)
    return found


def read_document(sources: Sources, text: Text) -> list[Entry]:
    """Everything that a document claims, defines and assumes, in the order of its text."""
    reading = _PaperReading(sources, text)
    reading.prepare()
    reading.run()
    reading.count_on()
    return reading.entries


class _PaperReading(Turned):
    def prepare(self) -> None:
        """The whole document first: which names are numbers, which are functions."""
        self.expanded = survey_document(self.walk, self.book)
        for item in self.walk.items:
            if isinstance(item, Directive):
                self.directives[self.sources.place(item.origin).line] = item.text

    def run(self) -> None:
        for place, item in enumerate(self.walk.items):
            self.take(item, self.walk.items[place + 1] if place + 1 < len(self.walk.items) else None)
        self.flush()

    def take(self, item: Item, after: Item | None) -> None:
        if isinstance(item, Prose):
            pieces = [p for p in _END.split(item.text) if p is not None]
            for number, piece in enumerate(pieces):
                if piece.strip():
                    self.sentence.append(replace(item, text=piece))
                if number < len(pieces) - 1:
                    self.flush()
        elif isinstance(item, Math):
            self.sentence.append(item)
            ends = item.body.signs.rstrip().rstrip("$").rstrip()
            ends = re.sub(
                r"(?:\\end\{\w+\*?\}|\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag|qedhere)|\s)+$", "", ends
            )
            lower = isinstance(after, Prose) and after.text[:1].islower()
            if not item.inline and ends.endswith(".") and not lower:
                self.flush()
        elif isinstance(item, Directive):
            if not item.text.startswith(("ignore", "expect")):
                self.flush()
            self.assume(item)
        elif isinstance(item, Label):
            self.frames[-1].labels.append(item.name)
            self.labelled[item.name] = self.frames[-1]
        elif isinstance(item, Opened):
            self.flush()
            if item.kind != "other":
                self.paragraph, self.since, self.passing = [], [], []
                self.paragraphs += 1
            if item.kind in ("item", "other"):
                self.next_item()
            else:
                self.against = False
            self.open(item)
        elif isinstance(item, EnvironmentEnd):
            self.flush()
            if item.kind != "other":
                self.paragraph, self.since, self.passing = [], [], []
                self.paragraphs += 1
                self.against = False
            else:
                self.next_item()
            self.close(item)
        elif isinstance(item, Paragraph):
            self.flush()
            self.next_paragraph()
            self.last_case = None
            self.paragraph, self.passing = [], []
            self.paragraphs += 1

    def flush(self) -> None:
        parts, self.sentence = self.sentence, []
        if any(isinstance(p, Math) for p in parts):
            self.say(parts)
        elif parts:
            whole = " ".join(p.text for p in parts if isinstance(p, Prose))
            self.turned_away(whole)
            self.remember_case((), whole)
            self.heard(whole)

    def say(self, items: Sequence[Prose | Math]) -> None:
        parts = list(self.parts(items))
        whole = " ".join(p.text if isinstance(p, Prose) else "#" for p in items)
        local: list[Hypothesis] = []
        spoken_of: list[Hypothesis] = []
        own: dict[Symbol, Meaning] = {}
        begun: set[Symbol] = set()
        everywhere = (EVERYWHERE.search(whole) or _EVERY_PROOF.search(whole)) and not re.search(
            r"this (?:section|proof|subsection|appendix|paragraph)|the (?:proof|section)", whole, re.IGNORECASE
        )
        self.everywhere = bool(EVERYWHERE.search(whole) or everywhere or not _FOR_A_WHILE.search(whole))
        home = self.frames[0] if everywhere or self.preliminary else self.frames[-1]
        if self.frames[-1].kind in ("theorem", "proof") and not everywhere:
            home = self.frames[-1]
        self.home = home
        if frees(whole):
            self.free(parts)
        first = items[0] if isinstance(items[0], Math) else items[1]
        opening = items[0].text if isinstance(items[0], Prose) else ""
        direction = isinstance(first, Math) and DIRECTION.fullmatch(first.body.signs) and not opening.strip(" ([.")
        self.turned_away("Conversely" if direction else whole)
        put, begins = self.substituted_names(parts, whole)
        if put and begins == 0:
            self.forget(put, whole, parts[0].formula.body.at(0))
        declared = in_force(self.frames, [], {}).declared
        local += self.anew(parts)
        if _THERE.match(whole):
            local += self.was_at
        other = self.otherwise(whole)
        local += [*other, *self.beside(whole)]
        self.beyond = says_more(whole)
        self.supposed = self.beyond != OR and is_supposed(whole)
        self.spoken(parts)
        self.excepting = False
        every = self.every = {} if EXISTS.search(whole) else self.each_member(parts)
        listed: frozenset[Symbol] = frozenset()
        lets = satisfied = False
        for part in parts:
            self.names(part)
            context = in_force(self.frames, local, own)
            spoken = part.role
            part.role = second_look(part, context, self.seen, self.book, begun)
            # the choice $x = 2$ satisfies $x > 1$ and $x < 3$
            satisfied = spoken == "where" and (part.role == "claim" or (satisfied and role_of(part.before) is None))
            if satisfied:
                part.role = "claim"
            part.of_let = lets and part.role == "where"
            lets = part.role in ("let", "suppose") or (lets and part.role != "claim")
            if part.role == "noun" and turns_away(whole):
                part.role = "noun" if self.is_other_case(part, other) else "claim"
            if part.role == "claim" and part.formula.inline and is_equation(part):
                left = left_name(part, self.book)
                if left is not None and left not in self.seen | context.declared:
                    begun.add(left)  # it will be a definition
            if part.role == "claim" or part.display is None or part.broken:
                listed = frozenset()
                continue
            if part.role == "define":
                done = self.define(part)
                if part.defined is not None:
                    name, meaning = part.defined
                    own[name] = meaning
                    home.meanings[name] = meaning
                    equal = Condition((Relation(name, "==", meaning.value),))
                    home.hypotheses += of_each(Hypothesis(equal, meaning.text, meaning.line, "let"), every)
                elif not done:
                    self.substitute(part, local)
                continue
            self.hypothesis(part)
            if part.condition is None:
                continue
            if _NOT.search(part.before) or (part.role not in ("claim", "define") and denies("", part.after)):
                # if not $x \ge 1$; where $x \ge 0$ fails: what holds there is not read
                self.in_words(part.condition.text, part.condition.text, part.formula.body.at(0))
                local.append(replace(part.condition, condition=Condition(), vague=letters(part.condition.text)))
                continue
            listed = listed if _says_more_of_them(part.before) else frozenset()
            part.condition = replace(part.condition, keeps=listed)
            listed |= part.condition.condition.spoken_of
            if not self.supposed:  # nothing of it is known in what follows
                self.in_words(part.condition.text, part.condition.text, part.formula.body.at(0))
                if part.role in ("for", "if", "case") and self.beyond != OR:
                    local.append(part.condition)
                continue
            each = of_each(part.condition, every)
            local += each
            if part.role in ("let", "suppose", "where", "noun"):
                home.hypotheses += each
                for member in each:
                    self.suppose(member, whole)
            if EXISTS.search(whole) or re.search(r"\\\||\\l?Vert", part.condition.text):
                self.in_words(part.condition.text, part.condition.text, part.formula.body.at(0))
            if EXCLUDES.search(whole) and part.role in ("case", "if", "noun", "for"):
                self.exclude(part, part.condition)
                if part.role != "if":
                    # for $x \ge 0$ it is clear: ... may be claimed there, or where it is not clear
                    there = Condition(perhaps=part.condition.condition.relations)
                    local.append(replace(part.condition, condition=there, kind="words"))
                    continue
            if part.role == "case" and is_spoken_of(part.before, part.after):
                part.condition = replace(part.condition, kind="if")
                local.append(part.condition)
                self.note(kept_in_mind(part.condition, opposite=True))
                continue
            passing = self.is_passing(part, whole)
            if passing:
                part.condition = replace(part.condition, kind="if")
            identity = part.role == "since" and not is_bound(part) and all(
                r.op == "==" and not has_bare_name(r) for r in part.condition.condition.relations
            )
            if not identity:
                self.note(part.condition)
            lasts = part.role in ("let", "suppose", "where", "case", "noun")
            if (lasts or (self.frames[-1].kind == "theorem" and part.role != "since")) and not passing:
                if part.role == "case":
                    home.hypotheses = [h for h in home.hypotheses if h.kind != "case"]
                home.hypotheses.append(part.condition)
                self.bind(part.condition, own)
            self.suppose(part.condition, whole)
            if part.role == "since" and not identity:
                self.since += part.condition.condition.relations
            if part.role in ("for", "if") and not part.excepted and not passing:
                spoken_of.append(part.condition)
            elif passing and str(part.condition.condition.relations[0].left) in self.book.tex:
                # \sum_i a_i = 1: it says something of names that it hides
                spoken_of.append(replace(part.condition, condition=Condition(), vague=letters(part.condition.text)))
            local.append(part.condition)
        excepting = [p for p in parts if UNLESS.search(p.before)]
        if self.beyond and excepting and all(p.excepted and not p.broken for p in excepting):
            self.beyond = says_more(EXCEPTED.sub("if #", whole))  # what is excepted was read
        if re.match(
            r"\s*(?:otherwise|conversely|in general|for general|on the other hand|without)", whole, re.IGNORECASE
        ):
            self.paragraph = []
        if _ELSEWHERE.match(whole):
            self.passing = []
        context = in_force(self.frames, local, own)
        lasting = [
            h for h in context.hypotheses if h.kind != "if" or all(r.op != "==" for r in h.condition.relations)
        ]
        known = frozenset().union(*(h.condition.names for h in lasting if h.condition.relations))
        known |= context.meanings.keys()
        # what the paragraph has quantified before, where nothing else is said of its names
        before = [
            kept_in_mind(h, opposite=False) if h in self.of_one_sentence else h
            for h in self.paragraph
            if not h.condition.names & known
        ]
        local = [*before, *local, *self.unread_words(parts, without_otherwise(whole) if other else whole)]
        self.paragraph += spoken_of
        # of a name that has its domain already, a condition is one of this sentence alone
        begun_with = parts[0].condition if parts[0].role == "for" else None
        self.of_one_sentence |= {
            h for h in spoken_of
            if h.condition.names & declared and not (h is begun_with and all(map(is_parameter, h.condition.names)))
        }
        denied = DENIES.search(whole) is not None
        self.against = self.against or supposes_not(whole)
        in_passing = [p.condition for p in parts if p.condition is not None and self.is_passing(p, whole)]
        self.was_at = [h for h in in_passing if h.condition.relations]
        soft = [] if _SHARP.search(whole) else [r for h in in_passing for r in h.condition.relations]
        said = ""
        behind = [p.condition for p in parts if p.condition is not None]
        for number, part in enumerate(parts):
            said += " " + part.before
            if put and number == begins > 0:
                self.forget(put, whole, part.formula.body.at(0))
            if said.count("#") and ends(part.before):
                self.heard(said)
                local = self.left_behind(local, behind)
            elif said.count("#") and goes_elsewhere(part.before, part.after):
                local = self.left_behind(local, behind)
            self.concluded(part)
            # an equation behind a claim says when it is sharp, or where it is used
            mine = [h for h in local if h not in behind or not any(r.op == "==" for r in h.condition.relations)]
            of_others = _in_another_clause(parts, number)
            mine = [kept_in_mind(h, opposite=False) if h in of_others else h for h in mine]
            self.emit(part, mine, own, denied or self.against, said)
            said += " #"
            if part.condition is not None and part.condition in behind:
                behind.remove(part.condition)
        self.passing += soft
        self.restrict_functions(parts)
        self.remember_case(parts, whole)
        self.heard(whole)

    def free(self, parts: Sequence[Phrase]) -> None:
        """Names that stand by themselves in a sentence: what was supposed of them is not known any more."""
        for part in parts:
            body = part.formula.body.stripped()
            name = body.signs.strip().lstrip("\\")
            if not name.isalpha():
                continue
            self.in_words(body.signs, "any number again", body.at(0))
            self.parameters.forget(name)
            for frame in self.frames:
                for known in [n for n in frame.meanings if letter_of(n) == name]:
                    del frame.meanings[known]
            for held in (*(f.hypotheses for f in self.frames), self.paragraph):
                held[:] = [h for h in held if name not in map(letter_of, h.condition.names)]

    def is_passing(self, part: Phrase, whole: str) -> bool:
        """At $p = 1/2$, in the case $n = 2$: it holds in its sentence; a case that a sentence opens holds on."""
        if part.condition is None or not any(r.op == "==" for r in part.condition.condition.relations):
            return False
        if part.of_let or (part.role == "case" and _OPENS_CASE.match(whole)):
            return False
        return part.role in ("where", "noun", "case", "for", "if")

    def count_on(self) -> None:
        """Each chain with what is said of its names in places whose scope is uncertain."""
        told = (said_of_all(item.text) for item in self.walk.items if isinstance(item, Prose))
        of_all = next(filter(None, told), "")
        sayings = once(self.sayings)
        for number, entry in enumerate(self.entries):
            if not isinstance(entry, Work):
                continue
            at = self.places[number]
            contexts = []
            for context in entry.contexts:
                names = frozenset().union(*(variables_of(e) for e in entry.sides if e is not None))
                for name in names & context.meanings.keys():
                    names |= variables_of(context.meanings[name].value)
                names = names.union(*(relation_variables(r) for r in related(context.relations, names)))
                context = with_sayings(context, names, at, sayings, entry.claimed)
                if of_all:
                    unread = Hypothesis(Condition(), of_all, 1, "words", frozenset(map(letter_of, names)))
                    context = replace(context, vague=(*context.vague, unread))
                contexts.append(context)
            self.entries[number] = replace(entry, contexts=tuple(contexts))

