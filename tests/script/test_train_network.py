"""The training of the networks of 6 nimmt!; needs PyTorch, which `script/train` installs."""

import csv
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.long


def train(folder: Path, *options: str) -> list[dict[str, str]]:
    """Train on few decisions; return the lines of the log without times."""
    command = [str(ROOT / "script" / "train"), str(folder), "--batch", "200", "--critic-steps", "2", "--save", "2"]
    subprocess.run([*command, "--evaluate", "0.002", *options], check=True, capture_output=True, timeout=3000, cwd=ROOT)
    with (folder / "log.csv").open(encoding="utf-8", newline="") as file:
        times = {"seconds", "decisions per second"}
        return [{name: text for name, text in line.items() if name not in times} for line in csv.DictReader(file)]


def test_training_resumes_with_the_same_curve(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", "--steps", "6")
    train(tmp_path / "parts", "--steps", "6", "--stop", "4")
    assert train(tmp_path / "parts", "--steps", "6") == whole
    assert [line["step"] for line in whole] == ["2", "4", "6"]


def test_the_tensors_agree_with_the_rules_and_the_compiled_network(tmp_path: Path) -> None:
    train(tmp_path, "--steps", "1")  # installs PyTorch
    python = ROOT / "build" / "train" / "bin" / "python"
    checks = Path(__file__).with_name("training_checks.py")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run([python, str(checks)], check=True, timeout=600, cwd=ROOT, env=environment)
