"""ClickHouse for tests of the package: a folder with chdb, and a server of libchdb.so."""

import contextlib
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What the tests of the command line make servers with.
sys.path.append(str(ROOT / "tests/clickhouse"))

import engine  # noqa: E402


def find_library():
    """libchdb.so, or a skipped test."""
    path = pathlib.Path(os.environ.get("JFRTREE_LIBCHDB") or ROOT / "build/chdb/libchdb.so")
    if not path.is_file():
        pytest.skip("libchdb.so is not there: scripts/setup --clickhouse fetches it")
    return str(path)


@contextlib.contextmanager
def server(folder, config=None):
    """A server of its own process."""
    started = engine.Server(find_library(), str(folder), config)
    try:
        yield started
    finally:
        started.stop()


ACCOUNTS = """<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>
<default><password/><networks><ip>::/0</ip></networks><profile>default</profile></default>
<loader><password>pass word</password><networks><ip>::/0</ip></networks>
<profile>default</profile></loader></users></clickhouse>"""
CONFIG = """<clickhouse><users_config>users.xml</users_config>
<user_directories><users_xml><path>{path}</path></users_xml></user_directories></clickhouse>"""


def config_with_users(folder):
    """A configuration whose user `loader` has the password `pass word`."""
    users = folder / "users.xml"
    users.write_text(ACCOUNTS)
    config = folder / "config.xml"
    config.write_text(CONFIG.format(path=users))
    return str(config)
