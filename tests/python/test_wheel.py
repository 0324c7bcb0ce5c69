"""What is in the wheel, and that it is the wheel that is tested."""

import os
import pathlib
import zipfile

import pytest

import jfrtree

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def wheel():
    if "JFRTREE_WHEEL" not in os.environ:
        pytest.skip("JFRTREE_WHEEL names no wheel; scripts/test-wheel builds one")
    return zipfile.ZipFile(os.environ["JFRTREE_WHEEL"])


def test_it_is_installed():
    assert "site-packages" in pathlib.Path(jfrtree.__file__).parts


def test_contents(wheel):
    names = wheel.namelist()
    package = {name for name in names if name.startswith("jfrtree/")}
    sources = {f"jfrtree/{path.name}" for path in (ROOT / "python/jfrtree").iterdir()
               if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed"}
    extension = {name for name in package if name.endswith(".so")}
    assert package - extension == sources
    assert len(extension) == 1
    others = {name.split("/")[0] for name in names} - {"jfrtree"}
    assert others <= {"jfrtree.libs", f"jfrtree-{jfrtree.__version__}.dist-info"}
    assert any(name.endswith("LICENSE") for name in names)


def test_size(wheel):
    size = os.path.getsize(os.environ["JFRTREE_WHEEL"])
    assert size < 5_000_000
    for name in wheel.namelist():
        assert b".debug_info" not in wheel.read(name)


def test_metadata(wheel):
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = wheel.read(name).decode()
    assert f"Version: {jfrtree.__version__}\n" in metadata
    assert "Requires-Python: >=3.10\n" in metadata
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    assert needed and all("extra ==" in line for line in needed)
    for extra in ("pandas", "polars", "arrow", "clickhouse", "matplotlib", "plot", "all"):
        assert f"Provides-Extra: {extra}\n" in metadata
