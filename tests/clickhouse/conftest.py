import pytest
from engine import Embedded, Server, find_library


@pytest.fixture(scope="session")
def library():
    return find_library()


@pytest.fixture
def embedded(library, tmp_path):
    return Embedded(library, tmp_path / "db")


@pytest.fixture(scope="session")
def started_server(library, tmp_path_factory):
    server = Server(library, tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def server(started_server, request):
    """The server with a database of the test's own, which the URL names."""
    name = request.node.name.replace("[", "_").replace("]", "")
    started_server.query(f"CREATE DATABASE `{name}`")

    class Own:
        url = f"{started_server.url}/?database={name}"
        port = started_server.http
        database = name

        @staticmethod
        def query(sql):
            return started_server.query(sql, database=name)

    return Own
