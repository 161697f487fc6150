"""The field types: one file each, declaration, reading and binding together. `FIELD_TYPES` is the closed list."""

from .base import Auto, Binder, Context, Field
from .blocks import Block, BlocksField, blocks
from .cases import CasesField, cases
from .choice import ChoiceField, ManyField, Option, choice, many, option
from .dataset import DatasetField, OtherTable, dataset
from .dictionary import DictionaryField, dictionary
from .flag import FlagField, flag
from .formula import FormulaField, formula
from .frozen import FrozenField, frozen
from .level import LevelField, level
from .mapping import MappingField, mapping
from .matched import Match, MatchedField, matched, slot
from .matrix import MatrixField, TypedMatrix, matrix
from .model import ModelField, model
from .moment import Moment, MomentField, moment
from .number import IntegerField, NumberField, integer, number
from .numbers import NumbersField, numbers
from .paths import Path, Paths, PathsField, paths
from .records import Record, RecordsField, records
from .role import RoleField, role
from .settings import SettingsField, settings
from .terms import Terms, TermsField, terms
from .timeline import Timeline, TimelineField, timeline
from .tree import Node, TreeField, tree
from .upload import UploadField, upload
from .weight import WeightField, weight
from .within import Within, WithinFactor, WithinField, within
from .words import WordsField, words

FIELD_TYPES = (
    RoleField,
    WeightField,
    TimelineField,
    MatchedField,
    BlocksField,
    WithinField,
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
    MomentField,
    RecordsField,
    MatrixField,
    FormulaField,
    PathsField,
    TreeField,
    ModelField,
    DictionaryField,
    UploadField,
    DatasetField,
    FrozenField,
)

__all__ = [
    "FIELD_TYPES",
    "Auto",
    "Binder",
    "Block",
    "BlocksField",
    "CasesField",
    "ChoiceField",
    "Context",
    "DatasetField",
    "DictionaryField",
    "Field",
    "FlagField",
    "FormulaField",
    "FrozenField",
    "IntegerField",
    "LevelField",
    "ManyField",
    "MappingField",
    "Match",
    "MatchedField",
    "MatrixField",
    "ModelField",
    "Moment",
    "MomentField",
    "Node",
    "NumberField",
    "NumbersField",
    "Option",
    "OtherTable",
    "Path",
    "Paths",
    "PathsField",
    "Record",
    "RecordsField",
    "RoleField",
    "SettingsField",
    "Terms",
    "TermsField",
    "Timeline",
    "TimelineField",
    "TreeField",
    "TypedMatrix",
    "UploadField",
    "WeightField",
    "Within",
    "WithinFactor",
    "WithinField",
    "WordsField",
    "blocks",
    "cases",
    "choice",
    "dataset",
    "dictionary",
    "flag",
    "formula",
    "frozen",
    "integer",
    "level",
    "many",
    "mapping",
    "matched",
    "matrix",
    "model",
    "moment",
    "number",
    "numbers",
    "option",
    "paths",
    "records",
    "role",
    "settings",
    "slot",
    "terms",
    "timeline",
    "tree",
    "upload",
    "weight",
    "within",
    "words",
]
