"""Works cited: structured entries in references.yaml, written as GB/T 7714 and as APA."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from hengxi.contract.declared import Reference

SHARED = Path(__file__).parent / "references.yaml"
Kind = Literal["article", "book", "chapter", "report", "software"]
SAFE: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
"""The one in C reads in a seventh of the time."""
MARKS: dict[str, str] = {"article": "J", "book": "M", "chapter": "M", "report": "R", "software": "CP"}


@dataclass(frozen=True, kw_only=True)
class Work:
    """One work. `authors` are "Family, G. N." (or an organisation in one piece), in order.

    `named`: the words by which a report names what it took from the work, where these are not its authors.
    """

    type: Kind
    authors: list[str]
    year: int
    title: str
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    edition: str | None = None
    place: str | None = None
    publisher: str | None = None
    book: str | None = None
    editors: list[str] = field(default_factory=list)
    doi: str | None = None
    url: str | None = None
    named: list[str] = field(default_factory=list)


@cache
def read(file: Path) -> dict[str, Work]:
    raw: dict[str, dict[str, Any]] = yaml.load(file.read_text(encoding="utf-8"), SAFE) or {}
    return {key: _work(key, entry, file) for key, entry in raw.items()}


def _work(key: str, entry: dict[str, Any], file: Path) -> Work:
    texts = ("volume", "issue", "pages", "edition")
    clean: dict[str, Any] = {
        name: str(value) if name in texts and value is not None else value for name, value in entry.items()
    }
    try:
        return Work(**clean)
    except TypeError as error:
        raise TypeError(f"{file.name}: {key}: {error}") from None


def references(keys: list[str], own: Path | None = None) -> list[Reference]:
    """The works a method cites; `own` is the references.yaml of its folder."""
    known = dict(read(SHARED))
    if own is not None and own.is_file():
        known |= read(own)
    if unknown := [key for key in keys if key not in known]:
        raise LookupError(f"no work called {unknown} in references.yaml")
    return [_reference(key, known[key]) for key in keys]


def _reference(key: str, work: Work) -> Reference:
    return Reference(key=key, gbt=gbt(work), apa=apa(work), doi=work.doi, named=list(work.named))


# ---- GB/T 7714—2015 ------------------------------------------------------------------------------------------------
def gbt(work: Work) -> str:
    """WELCH B L. Title[J]. Journal, 1947, 34(1/2): 28-35."""
    head = f"{_gbt_names(work.authors)}. {_sentence_free(work.title)}[{MARKS[work.type]}]"
    match work.type:
        case "article":
            tail = f"{work.journal}, {work.year}{_gbt_volume(work)}{_colon(work.pages)}"
            return f"{head}. {tail}.{_gbt_doi(work)}"
        case "chapter":
            editors = f"{_gbt_names(work.editors)}. " if work.editors else ""
            return f"{head}//{editors}{work.book}. {_gbt_press(work)}{_colon(work.pages)}.{_gbt_doi(work)}"
        case _:
            edition = f" {_gbt_edition(work.edition)}." if work.edition else ""
            return f"{head}.{edition} {_gbt_press(work)}{_colon(work.pages)}.{_gbt_doi(work)}"


def _gbt_names(authors: list[str]) -> str:
    names = [_gbt_name(author) for author in authors[:3]]
    return ", ".join([*names, "et al"] if len(authors) > 3 else names)


def _gbt_name(author: str) -> str:
    if "," not in author:
        # A pseudonym in one word stands as a family name does; an organisation keeps its capitals.
        return author if " " in author else author.upper()
    family, given = (part.strip() for part in author.split(",", 1))
    return f"{family.upper()} {given.replace('.', ' ').replace('-', ' ')}".replace("  ", " ").strip()


def _gbt_volume(work: Work) -> str:
    issue = f"({work.issue.replace('-', '/').replace('–', '/')})" if work.issue else ""
    return f", {work.volume}{issue}" if work.volume else issue


def _gbt_edition(edition: str) -> str:
    return f"{_ordinal(edition)} ed"


def _gbt_press(work: Work) -> str:
    press = f"{work.place}: {work.publisher}" if work.place and work.publisher else work.publisher or work.url or ""
    return f"{press}, {work.year}" if press else str(work.year)


def _gbt_doi(work: Work) -> str:
    return f" DOI:{work.doi}." if work.doi else ""


def _colon(pages: str | None) -> str:
    return f": {pages.replace('–', '-')}" if pages else ""


# ---- APA 7 ---------------------------------------------------------------------------------------------------------
def apa(work: Work) -> str:
    """Welch, B. L. (1947). Title. *Journal*, *34*(1–2), 28–35. https://doi.org/…"""
    head = f"{_apa_names(work.authors)} ({work.year})."
    title = work.title if work.title.endswith("?") else f"{work.title}."
    match work.type:
        case "article":
            volume = f", *{work.volume}*" if work.volume else ""
            issue = f"({_dash(work.issue)})" if work.issue else ""
            pages = f", {_dash(work.pages)}" if work.pages else ""
            body = f"{title} *{work.journal}*{volume}{issue}{pages}."
        case "chapter":
            editors = f"In {_apa_editors(work.editors)}, " if work.editors else "In "
            pages = f" (pp. {_dash(work.pages)})" if work.pages else ""
            body = f"{title} {editors}*{work.book}*{pages}. {work.publisher}."
        case _:
            edition = f" ({_ordinal(work.edition)} ed.)" if work.edition else ""
            body = f"*{work.title}*{edition}." + (f" {work.publisher}." if work.publisher else "")
    link = f" https://doi.org/{work.doi}" if work.doi else f" {work.url}" if work.url else ""
    return f"{head} {body}{link}"


def _apa_names(authors: list[str]) -> str:
    if len(authors) == 1:
        return authors[0] if authors[0].endswith(".") else f"{authors[0]}."
    if len(authors) > 20:
        return ", ".join(authors[:19]) + ", … " + authors[-1]
    return ", ".join(authors[:-1]) + ", & " + authors[-1]


def _apa_editors(editors: list[str]) -> str:
    turned = [" ".join(reversed([part.strip() for part in editor.split(",", 1)])) for editor in editors]
    names = turned[0] if len(turned) == 1 else ", ".join(turned[:-1]) + " & " + turned[-1]
    return f"{names} ({'Ed.' if len(turned) == 1 else 'Eds.'})"


def _dash(pages: str | None) -> str:
    return (pages or "").replace("-", "–")


def _ordinal(edition: str | None) -> str:
    number = edition or ""
    if not number.isdigit():
        return number
    tail = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + tail


def _sentence_free(title: str) -> str:
    return title.rstrip(".")
