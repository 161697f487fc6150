"""What differs between the statistics programs: how they are read, how they count time, what they call themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from hengxi.data.meta import Warn

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_FROM_1582 = -12_219_379_200 * _SECOND
_FROM_1960 = -3653 * _DAY


@dataclass(frozen=True)
class Kind:
    """How the numbers of a variable are meant. A moment is `number * step + epoch` in microseconds since 1970;
    with `months` the numbers count periods of so many months since 1960, with `weeks` Stata's weeks: 52 in every
    year, the first from 1 January."""

    name: str
    step: int = 0
    epoch: int = 0
    months: int = 0
    weeks: bool = False

    @property
    def dated(self) -> bool:
        return self.name in ("date", "datetime")


NUMBER, TEXT, DURATION = Kind("number"), Kind("text"), Kind("duration")


class Unsure(Exception):  # noqa: N818 - no fault of the file
    """Something that the library shall judge."""


@dataclass(frozen=True)
class Dialect:
    """One file format. `read` is pyreadstat's function; `kind_of(form)` says what a numeric format means."""

    kind: str
    program: str
    read: Callable[..., Any]
    kind_of: Callable[[str], Kind]
    encodings: tuple[str | None, ...] = (None,)
    user_missing: bool = False
    catalogued: bool = False
    """Value labels lie in a catalogue beside the file (SAS)."""
    named: Callable[[str], dict[float, str]] | None = None
    """What a format calls the numbers of a variable: the days of the week."""
    further_warnings: Callable[[Path, Any], list[Warn]] | None = None
    """What is said of things in the file that are no part of the table."""
    frames: Callable[[Path, Any, str | None, int], Iterator[pl.DataFrame]] | None = None
    """The rows by a quicker way than `read`, so many at a time; raises Unsure where that is not sure to be the same."""
    special: Callable[[Path, int, int], dict[int, dict[int, str]]] | None = None
    """Letters of special missing values which the reader does not tell: variable → {row of the chunk: letter}."""


_SPSS_DATE = re.compile(r"^(?:DATE|ADATE|EDATE|SDATE|JDATE|QYR|MOYR|WKYR)\d*")
_SPSS_DATETIME = re.compile(r"^(?:DATETIME|YMDHMS)\d*")
_SPSS_DURATION = re.compile(r"^(?:TIME|DTIME|MTIME)\d*")


def spss_kind(form: str) -> Kind:
    if _SPSS_DATETIME.match(form):
        return Kind("datetime", _SECOND, _FROM_1582)
    if _SPSS_DATE.match(form):
        return Kind("date", _SECOND, _FROM_1582)
    return DURATION if _SPSS_DURATION.match(form) else NUMBER


_WEEK = {float(i + 1): f"星期{day}" for i, day in enumerate("日一二三四五六")}
_YEAR = {float(i): f"{i}月" for i in range(1, 13)}


def spss_names(form: str) -> dict[float, str]:
    """WKDAY and MONTH show the numbers from 1 as words."""
    return _WEEK if form.startswith("WKDAY") else _YEAR if form.startswith("MONTH") else {}


_STATA = {
    "c": Kind("datetime", 1000, _FROM_1960),
    "C": Kind("datetime", 1000, _FROM_1960),
    "d": Kind("date", _DAY, _FROM_1960),
    "m": Kind("date", months=1),
    "q": Kind("date", months=3),
    "h": Kind("date", months=6),
    "w": Kind("date", weeks=True),
}


def stata_kind(form: str) -> Kind:
    """%td, %tc, %tm, %tw …; a year (%ty) is a number that needs no date."""
    found = re.match(r"^%-?t([cCdmqhw])|^%-?(d)", form)
    return _STATA[found.group(1) or "d"] if found else NUMBER


_WIDTH = r"\d*\.?\d*$"
"""Behind the name of a format. A name that only begins like one of SAS's (YEARGRP) is the user's own."""
_SAS_DATETIME = re.compile(
    r"^(?:DATETIME|DATEAMPM|MDYAMPM|[EB]8601(?:DT|DN|DX|DZ|LX)|NLDATM\w*?|IS8601D[TNZ]|TODSTAMP|DTDATE|DTMONYY|DTWKDATX"
    r"|DTYEAR|DTYYQC)" + _WIDTH
)
_SAS_DURATION = re.compile(
    r"^(?:TIME|TIMEAMPM|HHMM|HOUR|MMSS|TOD|[EB]8601T[MXZ]|[EB]8601LZ|NLTI\w*?|IS8601TM)" + _WIDTH
)
_SAS_DATE = re.compile(
    r"^(?:DATE|DAY|DOWNAME|DDMMYY[BCDNPS]?|MMDDYY[BCDNPS]?|YYMMDD[BCDNPS]?|YYMM[CDNPS]?|YYMON|MMYY[CDNPS]?|MONYY"
    r"|MONTH|MONNAME|JULDAY|JULIAN|PDJULG|PDJULI|WEEKDAY|WEEKDAT[EX]|WEEK[UVW]|WORDDAT[EX]|[EB]8601DA|NLDATE\w*?|YEAR"
    r"|QTRR?|YYQR?[CDNPS]?|YYWEEK[UVW]|IS8601DA|MINGUO|NENGO|HEBDATE)" + _WIDTH
)
_SAS_PLAIN = re.compile(
    r"^\$?(?:BEST[DX]?|COMMAX?|D|DOLLARX?|E|EURO\w*?|F|FLOAT|FRACT|HEX|IB\w?|IEEE|NEGPAREN|NUMX|ODDSR|PD|PERCENTN?"
    r"|PIB\w?|PVALUE|RB|ROMAN|S370F\w*?|SIZEK\w*?|SSN|VAXRB|WORD[FS]|YEN|Z|ZD|BINARY|OCTAL"
    r"|NL(?:BEST|MNY|NUM|PCT|STR)\w*?|CHAR|ASCII|BASE64X|EBCDIC|MSGCASE|QUOTE|REVER[JS]|UCS\w*?|UPCASE"
    r"|UTF\w*?|VARYING)?" + _WIDTH
)


def sas_format(form: str) -> str:
    """The name without width and decimals: SEX for SEX8.; formats of users never end in a digit."""
    return re.sub(_WIDTH, "", form).upper()


def is_users(form: str) -> bool:
    """Whether a format is none of SAS's own: its labels lie in a catalogue."""
    known = (_SAS_DATETIME, _SAS_DURATION, _SAS_DATE, _SAS_PLAIN)
    return not any(pattern.match(form.upper()) for pattern in known)


def sas_kind(form: str) -> Kind:
    if _SAS_DATETIME.match(form):
        return Kind("datetime", _SECOND, _FROM_1960)
    if _SAS_DURATION.match(form):
        return DURATION
    return Kind("date", _DAY, _FROM_1960) if _SAS_DATE.match(form) else NUMBER
