"""The field types: one file each, declaration, reading and binding together. `FIELD_TYPES` is the closed list."""

from .base import Auto, Binder, Context, Field
from .cases import CasesField, cases
from .choice import ChoiceField, ManyField, Option, choice, many, option
from .flag import FlagField, flag
from .level import LevelField, level
from .number import IntegerField, NumberField, integer, number
from .numbers import NumbersField, numbers
from .role import RoleField, role
from .settings import SettingsField, settings
from .terms import Terms, TermsField, terms
from .weight import WeightField, weight
from .words import WordsField, words

FIELD_TYPES = (
    RoleField,
    WeightField,
    LevelField,
    SettingsField,
    TermsField,
    CasesField,
    ChoiceField,
    ManyField,
    NumberField,
    IntegerField,
    FlagField,
    WordsField,
    NumbersField,
)

__all__ = [
    "FIELD_TYPES",
    "Auto",
    "Binder",
    "CasesField",
    "ChoiceField",
    "Context",
    "Field",
    "FlagField",
    "IntegerField",
    "LevelField",
    "ManyField",
    "NumberField",
    "NumbersField",
    "Option",
    "RoleField",
    "SettingsField",
    "Terms",
    "TermsField",
    "WeightField",
    "WordsField",
    "cases",
    "choice",
    "flag",
    "integer",
    "level",
    "many",
    "number",
    "numbers",
    "option",
    "role",
    "settings",
    "terms",
    "weight",
    "words",
]
