"""The notebook of the documentation, executed on its recording and on others."""

import os
import pathlib
import subprocess
import sys

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("matplotlib")
pytest.importorskip("duckdb")
pytest.importorskip("chdb")

ROOT = pathlib.Path(__file__).resolve().parents[2]


def outputs(path):
    """All outputs of a notebook by type: text/html, image/png, ..."""
    found = {}
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            for kind, data in output.get("data", {}).items():
                found.setdefault(kind, []).append(data)
    return found


@pytest.mark.parametrize("recording", ["jdk17-mixed.jfr", "jdk25-cputime.jfr", "jdk17-kinds.jfr"])
def test_notebook_runs(tmp_path, testdata, recording):
    written = tmp_path / "executed.ipynb"
    subprocess.run([sys.executable, ROOT / "scripts/run-notebook", "--output", written],
                   env={**os.environ, "JFRTREE_NOTEBOOK_RECORDING": str(testdata / recording)},
                   check=True)
    found = outputs(written)
    assert len(found["image/png"]) == 2
    graphs = [html for html in found["text/html"] if "<iframe" in html]
    assert len(graphs) == 3
    assert all("sandbox" in html for html in graphs)
    # What comes back from ClickHouse is what went in, and the second load loads nothing.
    assert "True" in found["text/plain"]
    assert any(text.startswith("(1, ") and text.endswith(", 0, 1)") for text in found["text/plain"])


def test_notebook_is_kept_with_its_outputs():
    path = ROOT / "docs/notebook.ipynb"
    found = outputs(path)
    assert len(found["image/png"]) == 2
    text = path.read_text()
    for folder in (str(ROOT), os.path.expanduser("~")):
        assert folder not in text
