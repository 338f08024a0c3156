"""Rows as Arrow columns of the types a table has."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from interviewer.model.characters import whole

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]


@dataclass(slots=True)
class Shape:
    """The columns of a table with their types, in order, and its key."""

    types: dict[str, str] = field(default_factory=dict)
    key: tuple[str, ...] = ()

    def fit(self, row: Row) -> Row:
        """`row` with this table's columns only, each of its type. Raises ValueError naming the column that is not."""
        fitted, problems = self.fit_what_can(row)
        if problems:
            raise ValueError(problems[0])
        for name in self.key:
            if fitted[name] is None:
                raise ValueError(f"{name} is missing")
        return fitted

    def fit_what_can(self, row: Row) -> tuple[Row, list[str]]:
        """`row` with this table's columns, NULL where a value is not of its type; and what was wrong with those."""
        fitted: Row = {}
        problems = []
        for name, kind in self.types.items():
            value = row.get(name)
            try:
                fitted[name] = None if value is None else _FITS[kind](value)
            except (TypeError, ValueError, OverflowError, RecursionError):
                fitted[name] = None
                problems.append(f"{name} cannot be {_shown(value)}")
        return fitted, problems

    def arrow(self, rows: Sequence[Row]) -> pa.Table:
        """Fitted rows as one Arrow table, in the order of the table's columns."""
        names = list(self.types)
        arrays = [pa.array([row[name] for row in rows], type=_ARROW[self.types[name]]) for name in names]
        return pa.table(arrays, names=names)


def shapes(connection: "DuckDBPyConnection") -> dict[str, Shape]:
    """The shape of every table, as the database has it."""
    found: dict[str, Shape] = {}
    columns = (
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE NOT internal ORDER BY table_name, column_index"
    )
    for table, column, kind in connection.execute(columns).fetchall():
        found.setdefault(table, Shape()).types[column] = kind
    keys = "SELECT table_name, constraint_column_names FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    for table, names in connection.execute(keys).fetchall():
        found[table].key = tuple(names)
    return found


def _shown(value: Any) -> str:
    try:
        return f"{value!r:.60}"
    except (ValueError, RecursionError):  # a number of thousands of digits, or nested too deeply
        return f"this {type(value).__name__}"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return whole(value)


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [_text(item) for item in value]


def _json(value: Any) -> str:
    return whole(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def _whole(bits: int) -> Callable[[Any], int]:
    def fit(value: Any) -> int:
        number = int(value)
        if isinstance(value, str) or number != value or not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise ValueError
        return number

    return fit


def _number(value: Any) -> float:
    if isinstance(value, str):
        raise TypeError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise TypeError
    return value


_FITS: dict[str, Callable[[Any], Any]] = {
    "VARCHAR": _text,
    "VARCHAR[]": _texts,
    "JSON": _json,
    "INTEGER": _whole(32),
    "BIGINT": _whole(64),
    "DOUBLE": _number,
    "BOOLEAN": _truth,
    "TIMESTAMP": _moment,
}
_ARROW: dict[str, pa.DataType] = {
    "VARCHAR": pa.string(),
    "VARCHAR[]": pa.list_(pa.string()),
    "JSON": pa.string(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
}
