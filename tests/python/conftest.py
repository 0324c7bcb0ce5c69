"""Fixtures of the tests of the installed Python package."""

import os
import pathlib
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def testdata():
    return pathlib.Path(os.environ.get("JFRTREE_TESTDATA", ROOT / "testdata")).resolve()


@pytest.fixture(scope="session")
def mixed(testdata):
    """The path of the recording that has samples of the most kinds."""
    return testdata / "jdk17-mixed.jfr"


@pytest.fixture
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
