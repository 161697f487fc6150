"""The words a method is written in. `from hengxi.contract import Chart, Column, Form, Method, Report, Table, …`."""

from .answer_sets import AnswerSet, apart, singly
from .assets import Dictionary, FrozenLimits, Label, Upload
from .charts import Arrow, Band, Bracket, Chart, Diagonal, Ellipse, Line, Panel, Reference, Region
from .claims import Silent, claim, elsewhere, estimates, stat
from .columns import Column, Level
from .declared import Dimensions
from .derived import Part as CellPart
from .elements import File, Formula, NewColumns, NewTable, Rules, SavedModel, Try
from .expressions import Expression, TypedFormula
from .facts import Broken
from .fields.blocks import Block, blocks
from .fields.cases import Case, cases
from .fields.choice import choice, many, option
from .fields.dataset import OtherTable, dataset
from .fields.dictionary import dictionary
from .fields.flag import flag
from .fields.formula import formula
from .fields.frozen import frozen
from .fields.level import level
from .fields.mapping import Rule, mapping
from .fields.matched import Match, matched, slot
from .fields.matrix import TypedMatrix, matrix
from .fields.model import model
from .fields.moment import Moment, moment
from .fields.number import integer, number
from .fields.numbers import numbers
from .fields.paths import Path, Paths, paths
from .fields.ready import adjustment, alternative, confidence, counted, resamples
from .fields.records import Record, records
from .fields.role import role
from .fields.settings import Row, settings
from .fields.terms import Term, Terms, terms
from .fields.timeline import Timeline, timeline
from .fields.tree import Node, tree
from .fields.upload import upload
from .fields.weight import weight
from .fields.within import Within, WithinFactor, within
from .fields.words import words
from .form import Form
from .limits import at_least, count, disjoint, less, most, one_of, sums
from .measures import ColumnInfo, asked, few_of
from .method import Deals, Method, Model, Predict, Processing, Solver, Visualization
from .models import Arrays, Fitted, KeptModel, ModelCard, ModelFeature, ModelLevel, ModelTarget
from .progress import Progress
from .refusal import MethodRemedy, NextStep, Refusal, SetRemedy, StepRemedy
from .report import Filled, Report, figure, more
from .run_shapes import CellOffer, ColumnToBe, FormNote
from .tables import (
    Matrix,
    Points,
    Table,
    Wide,
    action,
    combo,
    date,
    few_rows,
    interval,
    marked,
    num,
    percent,
    pvalue,
    rows_column,
    text,
    values_column,
)
from .when import a_set, a_variable, filled, levels, measure

__all__ = [
    "AnswerSet",
    "Arrays",
    "Arrow",
    "Band",
    "Block",
    "Bracket",
    "Broken",
    "Case",
    "CellOffer",
    "CellPart",
    "Chart",
    "Column",
    "ColumnInfo",
    "ColumnToBe",
    "Deals",
    "Diagonal",
    "Dictionary",
    "Dimensions",
    "Ellipse",
    "Expression",
    "File",
    "Filled",
    "Fitted",
    "Form",
    "FormNote",
    "Formula",
    "FrozenLimits",
    "KeptModel",
    "Label",
    "Level",
    "Line",
    "Match",
    "Matrix",
    "Method",
    "MethodRemedy",
    "Model",
    "ModelCard",
    "ModelFeature",
    "ModelLevel",
    "ModelTarget",
    "Moment",
    "NewColumns",
    "NewTable",
    "NextStep",
    "Node",
    "OtherTable",
    "Panel",
    "Path",
    "Paths",
    "Points",
    "Predict",
    "Processing",
    "Progress",
    "Record",
    "Reference",
    "Refusal",
    "Region",
    "Report",
    "Row",
    "Rule",
    "Rules",
    "SavedModel",
    "SetRemedy",
    "Silent",
    "Solver",
    "StepRemedy",
    "Table",
    "Term",
    "Terms",
    "Timeline",
    "Try",
    "TypedFormula",
    "TypedMatrix",
    "Upload",
    "Visualization",
    "Wide",
    "Within",
    "WithinFactor",
    "a_set",
    "a_variable",
    "action",
    "adjustment",
    "alternative",
    "apart",
    "asked",
    "at_least",
    "blocks",
    "cases",
    "choice",
    "claim",
    "combo",
    "confidence",
    "count",
    "counted",
    "dataset",
    "date",
    "dictionary",
    "disjoint",
    "elsewhere",
    "estimates",
    "few_of",
    "few_rows",
    "figure",
    "filled",
    "flag",
    "formula",
    "frozen",
    "integer",
    "interval",
    "less",
    "level",
    "levels",
    "many",
    "mapping",
    "marked",
    "matched",
    "matrix",
    "measure",
    "model",
    "moment",
    "more",
    "most",
    "num",
    "number",
    "numbers",
    "one_of",
    "option",
    "paths",
    "percent",
    "pvalue",
    "records",
    "resamples",
    "role",
    "rows_column",
    "settings",
    "singly",
    "slot",
    "stat",
    "sums",
    "terms",
    "text",
    "timeline",
    "tree",
    "upload",
    "values_column",
    "weight",
    "within",
    "words",
]
