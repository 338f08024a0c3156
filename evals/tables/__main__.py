"""Run: python -m evals.tables INTERVIEWS.jsonl... Writes idf.json and mean.json of interviewer/matching/data.

Each line of a file is an interview: `source`, `licence`, `turns` of `role` and `text`. The tables hold counts of words
and one mean vector, no text.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from interviewer.matching import minilm, tfidf
from interviewer.matching.encoder import encoder
from interviewer.matching.text import questions, sentences
from interviewer.matching.tokens import tokens

_LEAST = 5


def main() -> int:
    """Read the interviews and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--date", required=True, help="of the tables, as 2026-11-30")
    given = parser.parse_args()
    interviews = [json.loads(line) for file in given.files for line in file.read_text(encoding="utf-8").splitlines()]
    about = {"made": given.date, "interviews": len(interviews), "licences": sorted({i["licence"] for i in interviews})}
    _write(tfidf.TABLE, about | _counts(interviews))
    _write(minilm.MEAN, about | _mean(interviews))
    return 0


def _counts(interviews: list[dict[str, Any]]) -> dict[str, Any]:
    texts = [span.text for i in interviews for turn in i["turns"] for span in sentences(turn["text"])]
    counts = Counter(word for text in texts for word in set(tokens(text)))
    return {"texts": len(texts), "counts": {w: n for w, n in sorted(counts.items()) if n >= _LEAST}}


def _mean(interviews: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean over interviews of the mean over their questions: a long interview counts as much as a short one."""
    model = encoder()
    means = []
    for interview in interviews:
        asked = [s.text for t in interview["turns"] if t["role"] == "interviewer" for s in questions(t["text"])]
        vectors = model.vectors(asked)
        readable = vectors[~(vectors != vectors).any(axis=1)]
        if len(readable):
            means.append(readable.mean(axis=0))
    mean = sum(means) / len(means)
    return {"model": model.version, "mean": [round(float(value), 4) for value in mean]}


def _write(path: Path, table: dict[str, Any]) -> None:
    path.write_text(json.dumps(table, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    raise SystemExit(main())
