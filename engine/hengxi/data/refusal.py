"""What is said when a file or a table cannot be read: in Chinese, with place, cause and remedy."""

from __future__ import annotations

from typing import Any, TypedDict


class Choice(TypedDict):
    """A way out that the user can click: `set` holds import settings to send again."""

    title: str
    set: dict[str, Any]


class DataRefusal(Exception):  # noqa: N818 - a refusal is an answer to the user, not a fault of ours
    """The data cannot be used as it is.

    `code` is permanent ASCII (`file.empty`, `csv.ragged` …), `text` the whole Chinese sentence,
    `facts` the numbers and names in it, `choices` the remedies.
    """

    def __init__(
        self,
        code: str,
        text: str,
        facts: dict[str, Any] | None = None,
        choices: list[Choice] | None = None,
    ) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.facts = facts or {}
        self.choices = choices or []

    def __reduce__(self) -> tuple[Any, ...]:
        # Travels through a pipe from the import child to the engine.
        return (DataRefusal, (self.code, self.text, self.facts, self.choices))

    def wire(self) -> dict[str, Any]:
        """The `error` object of the engine's HTTP face."""
        return {"code": self.code, "text": self.text, "facts": self.facts, "choices": self.choices}


class Cancelled(Exception):  # noqa: N818 - asked for by the user
    """The caller's `progress` answered False: stop, leave nothing behind."""
