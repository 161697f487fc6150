"""The words a method is written in. `from hengxi.contract import Chart, Column, Form, Method, Report, Table, …`."""
# ruff: noqa: F401 - this file exists to name the words

from .charts import Arrow, Band, Bracket, Chart, Diagonal, Ellipse, Line, Panel, Reference, Region
from .columns import Column, Level
from .elements import File, Formula, NewColumns, NewTable, Rules, SavedModel, Try
from .facts import Broken
from .fields.cases import Case, cases
from .fields.choice import choice, many, option
from .fields.flag import flag
from .fields.level import level
from .fields.number import integer, number
from .fields.numbers import numbers
from .fields.role import role
from .fields.settings import Row, settings
from .fields.terms import Term, Terms, terms
from .fields.weight import weight
from .fields.words import words
from .form import Form
from .limits import at_least, count, disjoint, less, most, one_of, sums
from .method import Method, Model, Predict, Processing, Solver, Visualization
from .progress import Progress
from .refusal import MethodRemedy, Refusal, SetRemedy, StepRemedy
from .report import Report, figure, more
from .tables import (
    Matrix,
    Points,
    Table,
    Wide,
    action,
    combo,
    date,
    interval,
    marked,
    num,
    percent,
    pvalue,
    rows_column,
    text,
    values_column,
)
from .when import filled, levels, measure
