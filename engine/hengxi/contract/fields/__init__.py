"""The field types: one file each, declaration, reading and binding together. `FIELD_TYPES` is the closed list."""

from .base import Auto, Binder, Context, Field
from .cases import CasesField, cases
from .choice import ChoiceField, ManyField, Option, choice, many, option
from .flag import FlagField, flag
from .formula import FormulaField, formula
from .level import LevelField, level
from .mapping import MappingField, mapping
from .model import ModelField, model
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
    MappingField,
    CasesField,
    ChoiceField,
    ManyField,
    NumberField,
    IntegerField,
    FlagField,
    WordsField,
    NumbersField,
    FormulaField,
    ModelField,
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
    "FormulaField",
    "IntegerField",
    "LevelField",
    "ManyField",
    "MappingField",
    "ModelField",
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
    "formula",
    "integer",
    "level",
    "many",
    "mapping",
    "model",
    "number",
    "numbers",
    "option",
    "role",
    "settings",
    "terms",
    "weight",
    "words",
]
