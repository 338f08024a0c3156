"""`plan` and `call` as a person types them."""

import json
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from interviewer.audio import pcm, speech, wav
from interviewer.cli.app import app
from interviewer.kept.clips import clip
from interviewer.store.store import Store


def test_a_plan_is_written_to_be_changed(tmp_path: Path) -> None:
    out = tmp_path / "plan.yaml"
    result = CliRunner().invoke(app, ["plan", "Beekeeping", "--minutes", "2", "--out", str(out)])
    assert result.exit_code == 0, result.output
    plan = yaml.safe_load(out.read_text(encoding="utf-8"))
    assert plan["topic"] == "Beekeeping"
    assert sum(len(section["questions"]) for section in plan["sections"]) >= 3


def test_the_real_service_without_a_key_is_refused_before_anything_is_kept(tmp_path: Path, fresh_home: Path) -> None:
    config = tmp_path / "real.yaml"
    config.write_text("voice: {service: openai}\n", encoding="utf-8")
    wav.write(tmp_path / "mic.wav", pcm.silence(100))
    command = ["--json", "--config", str(config), "call", "--topic", "Bees", "--mic", str(tmp_path / "mic.wav")]
    result = CliRunner().invoke(app, [*command, "--speaker", str(tmp_path / "out.wav")])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["type"] == "MissingKey"
    assert "OPENAI_API_KEY" in result.stdout
    assert not list(fresh_home.glob("journals/*"))


def test_a_call_needs_a_topic_or_a_plan() -> None:
    result = CliRunner().invoke(app, ["call", "--simulate"])
    assert result.exit_code == 1
    assert "--topic" in result.output


def test_a_call_from_a_file_as_microphone_is_held_and_kept(tmp_path: Path) -> None:
    said = "I started with two hives on a garage roof, and lost one in the first storm."
    sound = [pcm.silence(10_000), pcm.to_bytes(speech.synthesise(said)), pcm.silence(1_000)]
    wav.write(tmp_path / "mic.wav", b"".join(sound))
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "topic: Beekeeping\ngoal: Why hives last\nsections:\n"
        '- {id: s1, title: Start, questions: [{id: q1, text: "How did you begin?", priority: 1}]}\n',
        encoding="utf-8",
    )
    files = ["--mic", str(tmp_path / "mic.wav"), "--speaker", str(tmp_path / "voice.wav")]
    command = ["--json", "call", "--simulate", "--keep-audio", "--plan", str(plan), "--minutes", "0.5", *files]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert said in [turn["text"] for turn in report["turns"] if turn["speaker"] == "guest"]
    assert report["closing"]["reason"]
    assert all(q["state"] != "pending" for q in report["questions"])
    assert len(wav.read(tmp_path / "voice.wav")) > 48_000 * 5
    with_its_sound_to_take_away(tmp_path, report, said)


def with_its_sound_to_take_away(tmp_path: Path, report: dict[str, Any], said: str) -> None:
    result = CliRunner().invoke(app, ["--json", "export", "last", "--to", "flac", "--out", str(tmp_path / "all.flac")])
    assert json.loads(result.stdout)["files"] == [str(tmp_path / "all.flac")]
    assert (tmp_path / "all.flac").read_bytes() == Path(report["audio"]).read_bytes()
    [answer] = [turn["id"] for turn in report["turns"] if turn["text"] == said]
    (tmp_path / "clip.wav").write_bytes(clip(Store.open(), "last", answer))
    ear = speech.Transcriber()
    ear.feed(wav.read(tmp_path / "clip.wav"))
    assert ear.take() == said
