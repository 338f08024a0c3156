"""Taking a call away: as a text to read, as data, as subtitles."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from interviewer.errors import StoreError
from interviewer.store import exported
from interviewer.store.columns import Shape, shapes
from interviewer.store.ingest import TABLES
from interviewer.store.plain import escaped_json
from interviewer.store.redact import Redaction
from interviewer.store.store import Store
from interviewer.store.text import markdown, vtt

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["md", "json", "csv", "parquet", "vtt"]

_ORDERS = {"turns": "position, turn_id", "questions": "number", "question_state": "registered_seq"}
EXPORTED = (*TABLES, "question_state")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def export(store: Store, call: str, to: Format, out: Path, *, redaction: Redaction | None = None) -> list[Path]:
    """Write a call to `out` and give the files written; files of an earlier export are replaced.

    `redaction` replaces names and numbers in every text; `redaction_of` makes one for a call.

    md (essay, transcript, questions), json and vtt make one file: `out` itself if it has that ending, else
    `<call id>.<ending>` in the folder `out`. csv and parquet make one file a table in the folder `out`.
    Raises NotFound for the call and StoreError if a file cannot be written.
    """
    if to not in get_args(Format):
        raise StoreError(f"cannot export to {to!r}; there are: {', '.join(get_args(Format))}")
    call_id = store.resolve(call)
    tables, known = _tables(store, call_id)
    if redaction is not None:
        tables = {name: _redacted(table, known[name], redaction) for name, table in tables.items()}
    if to in ("csv", "parquet"):
        write = _csv if to == "csv" else _parquet
        contents = {out / f"{name}.{to}": write(table) for name, table in tables.items()}
    else:
        rows = {name: _rows(table, known[name]) for name, table in tables.items()}
        target = out if out.suffix == f".{to}" else out / f"{call_id}.{to}"
        contents = {target: _WRITERS[to](rows).encode("utf-8")}
    files = [_put(path, content) for path, content in contents.items()]
    exported.note(store.home.root, call_id, files)
    return files


def redaction_of(store: Store, call: str, names: Sequence[str] = ()) -> Redaction:
    """What replaces the names and numbers of a call: those who speak, those put right, `names`, and those found."""
    tables, known = _tables(store, store.resolve(call))
    rows = {name: _rows(tables[name], known[name]) for name in ("calls", "turns", "questions", "moments")}
    guest = [str(row["guest"] or "") for row in rows["calls"]]
    put_right = [row["detail"] for row in rows["moments"] if row["kind"] == "correction" and row["detail"]]
    mended = [str(detail.get(side) or "") for detail in put_right for side in ("wrong", "right")]
    texts = [str(row[name] or "") for row in rows["calls"] for name in ("topic", "context")]
    before = [turn for row in rows["calls"] for turn in (row["earlier"] or {}).get("turns") or ()]
    texts += [str(turn.get("text") or "") for turn in before]
    texts += [str(row[name] or "") for row in rows["turns"] for name in ("text", "heard")]
    texts += [str(row["text"] or "") for row in rows["questions"]]
    speakers = {str(row["name"]) for row in rows["turns"] if row["name"]}  # of imported calls
    return Redaction(texts, [*guest, *sorted(speakers), *mended, *names])


def _redacted(table: "pa.Table", shape: Shape, redaction: Redaction) -> "pa.Table":
    """The same table, its texts redacted, also those inside JSON."""
    import pyarrow as pa

    columns = []
    for name, kind in shape.types.items():
        values = table.column(name).to_pylist()
        if kind == "JSON":
            told = (None if value is None else redaction.value(json.loads(value), name) for value in values)
            values = [None if value is None else json.dumps(value, ensure_ascii=False) for value in told]
        elif kind.startswith("VARCHAR"):
            values = [redaction.value(value, name) for value in values]
        columns.append(pa.array(values, type=table.schema.field(name).type))
    return pa.table(columns, schema=table.schema)


def _tables(store: Store, call_id: str) -> "tuple[dict[str, pa.Table], dict[str, Shape]]":
    tables = {}
    with store.database.connect(writes=False) as connection:
        known = shapes(connection)
        for name in EXPORTED:
            order = _ORDERS.get(name, "ALL")
            query = f"SELECT * FROM {name} WHERE call_id = $1 ORDER BY {order}"  # noqa: S608  names from EXPORTED
            tables[name] = connection.sql(query, params=[call_id]).to_arrow_table()
    return tables, known


def _put(path: Path, content: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from None
    return path


def _rows(table: "pa.Table", shape: Shape) -> list[dict[str, Any]]:
    """The rows with JSON read and times in ISO 8601."""
    read = {name: _read_json if kind == "JSON" else _read for name, kind in shape.types.items()}
    return [{name: read[name](value) for name, value in row.items()} for row in table.to_pylist()]


def _read_json(value: str | None) -> Any:
    return None if value is None else json.loads(value)


def _read(value: Any) -> Any:
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else value


def _json(rows: dict[str, list[dict[str, Any]]]) -> str:
    return escaped_json(json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=1)) + "\n"


def _csv(table: "pa.Table") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(table.column_names)
    writer.writerows([_cell(value) for value in row.values()] for row in table.to_pylist())
    return text.getvalue().encode("utf-8")


def _cell(value: Any) -> Any:
    """A value as a spreadsheet may see it: text that would be taken for a formula gets an apostrophe before it."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA_STARTS) else text


def _parquet(table: "pa.Table") -> bytes:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[dict[str, list[dict[str, Any]]]], str]] = {"md": markdown, "json": _json, "vtt": vtt}
