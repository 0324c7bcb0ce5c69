"""bench/scale: that its data is what it says, and that its statements run. No speed is tested."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ["JFRTREE_PROGRAM"])
ROWS = 100_000


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    library = pathlib.Path(os.environ.get("JFRTREE_LIBCHDB", ""))
    if not library.is_file():
        pytest.skip("the engine is not there: scripts/setup --clickhouse fetches it")
    data = tmp_path_factory.mktemp("scale")
    subprocess.run([sys.executable, REPOSITORY / "bench" / "scale" / "measure", "--build",
                    PROGRAM.parent.parent, "--data", data, "--rows", str(ROWS), "--hours", "48",
                    "--stacks", "2000", "--rounds", "1"], check=True, stdout=subprocess.DEVNULL,
                   timeout=280)
    return json.loads((data / "results.json").read_text())


def test_the_data_is_as_large_as_was_asked_for(measured):
    assert ROWS / 2 < measured["insert rows"] < ROWS * 2
    assert measured["size profile_samples: rows"] == measured["insert rows"]
    assert 0 < measured["size profile_samples_1h: rows"] < measured["insert rows"]
    # Half of the samples have a kind of their own, and so have the stacks.
    assert 1_500 < measured["size profile_stacks: rows"] <= 6_000
    assert measured["insert samples"] > measured["insert rows"]


def test_all_parts_were_measured(measured):
    for name in ("size cpu: bytes a row", "size alloc: bytes a row",
                 "flame graph, largest service, 30 days: collapsed: s, CPU s",
                 "beside, median service, 30 days: the founding SQL, repaired: s, CPU s",
                 "inline, median service: bytes a row", "server: peak MB"):
        assert measured[name]


def test_the_function_of_the_server_with_one_thread_has_all_samples(measured):
    for service in ("largest", "median", "smallest"):
        name = f"beside, {service} service, 30 days: flameGraph(), one thread, part of the samples"
        assert measured[name] == 1
