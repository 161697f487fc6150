"""What the user's data or choice does not allow: code, Chinese text naming the variable, and ways out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from numbers import Integral
from typing import Any


@dataclass(kw_only=True)
class SetRemedy:
    """Change settings of this form in place."""

    title: str
    set: dict[str, Any]


@dataclass(kw_only=True)
class MethodRemedy:
    """Open another method and carry these fields over."""

    title: str
    method: str
    carry: list[str]


@dataclass(kw_only=True)
class StepRemedy:
    """Open a data processing step with these columns."""

    title: str
    step: str
    columns: list[str]


@dataclass(kw_only=True)
class NextStep:
    """What a reader may ask after this report: a method with settings to begin with; `seek` names the box to fill."""

    title: str
    method: str
    form: dict[str, Any]
    seek: list[str] = dataclasses.field(default_factory=list)


Remedy = SetRemedy | MethodRemedy | StepRemedy


@dataclass(kw_only=True)
class Fault:
    """One reason why the form or the data is refused. `text` is final: no template, no markup."""

    field: str | None
    code: str
    text: str
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)
    column: str | None = None
    row: int | None = None
    remedies: list[Remedy] = dataclasses.field(default_factory=list)


def _words(fact: Any) -> str:
    """A fact as a sentence has it; numbers of things in groups of three, as on every report."""
    is_count = isinstance(fact, Integral) and not isinstance(fact, bool)
    return f"{int(fact):,}" if is_count else str(fact)


class Refusal(Exception):  # noqa: N818  (the product's word, not an error of the program)
    """Raised by `run` when the data cannot be analysed; `Refusal("data.few", "…{n}…", field="y", n=1)`.

    Braces in `text` are filled from the facts here, so the wire carries the final sentence. Where several fields are
    at fault together, `field` has the remedies and `also` names the others, which are marked with the same sentence.
    """

    def __init__(
        self,
        code: str,
        text: str,
        *,
        field: str | None = None,
        also: Sequence[str] = (),
        column: str | None = None,
        row: int | None = None,
        remedies: Sequence[Remedy] = (),
        **facts: Any,
    ) -> None:
        # Not str.format: a variable may be called "{x}".
        sentence = re.sub(r"\{(\w+)\}", lambda m: _words(facts[m[1]]) if m[1] in facts else m[0], text)
        super().__init__(sentence)
        first = Fault(
            field=field, code=code, text=sentence, facts=facts, column=column, row=row, remedies=list(remedies)
        )
        self.faults = [first, *(dataclasses.replace(first, field=one, remedies=[]) for one in also)]

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Refusal:
        """One refusal out of several faults of a form."""
        refusal = cls(faults[0].code, "")
        refusal.args = ("；".join(fault.text for fault in faults),)
        refusal.faults = list(faults)
        return refusal

    @property
    def code(self) -> str:
        return self.faults[0].code

    @property
    def text(self) -> str:
        return self.faults[0].text

    def wire(self) -> dict[str, Any]:
        return {"fields": [asdict(fault) for fault in self.faults]}

    def __reduce__(self) -> tuple[Any, ...]:
        return Refusal.of, (self.faults,)
