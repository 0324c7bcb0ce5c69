"""What docs/clickhouse-guide.md tells to run is run: its statements, users and script."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from engine import Server
from program import PROGRAM, TESTDATA, load, run, stored_sums, sums_of

GUIDE = (pathlib.Path(__file__).parents[2] / "docs" / "clickhouse-guide.md").read_text()
RECORDING = TESTDATA / "jdk17-mixed.jfr"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def statements():
    for block in blocks("sql"):
        text = re.sub(r"^--.*$", "", block, flags=re.MULTILINE)
        yield from (part.strip() for part in text.split(";") if part.strip())


def users_file():
    """The users of the guide as a file: this server cannot make users by SQL."""
    text = ("<clickhouse><profiles><default/>{profiles}</profiles><quotas><default/></quotas>"
            "<users><default><password/><networks><ip>::/0</ip></networks>"
            "<profile>default</profile></default>{users}</users></clickhouse>")
    profiles = users = ""
    for statement in statements():
        made = re.match(r"CREATE USER (\w+) IDENTIFIED BY '\.\.\.'(?: SETTINGS (.*))?$", statement)
        if not made:
            continue
        name, settings = made.groups()
        values = "".join(f"<{key}>{value}</{key}>"
                         for key, value in re.findall(r"(\w+) = (\d+)", settings or ""))
        grants = "".join(f"<query>{grant.rsplit(' TO ', 1)[0]}</query>" for grant in statements()
                         if grant.startswith("GRANT ") and grant.endswith(f" TO {name}"))
        assert grants
        profiles += f"<{name}>{values}</{name}>"
        users += (f"<{name}><password>of-{name}</password><networks><ip>::/0</ip></networks>"
                  f"<profile>{name}</profile><grants>{grants}</grants></{name}>")
    assert "<readonly>2</readonly>" in profiles
    return text.format(profiles=profiles, users=users)


class Profiles:
    """A server with the users of the guide and the tables in the database `profiles`."""

    def __init__(self, server):
        self.server = server
        self.url = f"{server.url}/?database=profiles"

    def query(self, sql):
        return self.server.query(sql, database="profiles")


@pytest.fixture(scope="module")
def profiles(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("guide")
    users = folder / "users.xml"
    users.write_text(users_file())
    config = folder / "config.xml"
    config.write_text("<clickhouse><users_config>users.xml</users_config><user_directories>"
                      f"<users_xml><path>{users}</path></users_xml></user_directories></clickhouse>")
    server = Server(library, folder / "data", str(config))
    try:
        server.query("CREATE DATABASE profiles")
        schema = run("clickhouse", "schema", "--database", "profiles", "--retention", "90")
        for statement in re.sub(r"^--.*$", "", schema, flags=re.MULTILINE).split(";"):
            if statement.strip():
                server.query(statement)
        yield Profiles(server)
    finally:
        server.stop()


def account(name):
    return {"environment": {"CLICKHOUSE_USER": name, "CLICKHOUSE_PASSWORD": f"of-{name}"}}


def test_users_may_do_what_they_are_for(profiles):
    kept = "INSERT INTO profile_samples SELECT * FROM profile_samples LIMIT 0"
    load(RECORDING, profiles.url, **account("loader"))
    assert "replaced" in load(RECORDING, profiles.url, "--force", **account("loader"))
    assert stored_sums(profiles) == sums_of(RECORDING)
    for command in ["list", "top"]:
        run("clickhouse", command, "--db", profiles.url, **account("grafana"))
    stacks = run("clickhouse", "flamegraph", "--db", profiles.url, "--format", "stacks", "-p",
                 "alloc", **account("grafana"))
    assert '"kind":"alloc"' in stacks
    text = load(RECORDING, profiles.url, "--force", code=1, **account("grafana"))
    assert "ACCESS_DENIED" in text or "read" in text
    with pytest.raises(RuntimeError, match="Not enough privileges|READONLY"):
        profiles.server.query(kept, database="profiles", user="grafana", password="of-grafana")
    with pytest.raises(RuntimeError, match="Not enough privileges"):
        profiles.server.query("DROP TABLE profile_samples", database="profiles", user="loader",
                              password="of-loader")


def test_statements_run(profiles):
    count = 0
    for statement in statements():
        if not re.match(r"(CREATE USER|GRANT) ", statement):
            profiles.query(statement)
            count += 1
    assert count >= 4
    table = profiles.query("SHOW CREATE TABLE profile_samples_1h")
    assert "toIntervalDay(400)" in table


def test_the_script_loads_and_moves_what_is_new(profiles, tmp_path):
    [script] = [block for block in blocks("sh") if block.startswith("#!/bin/sh")]
    bucket, spool, tools = (tmp_path / name for name in ["bucket", "spool", "tools"])
    for folder in [bucket, tools]:
        folder.mkdir()
    # What the script asks of the bucket's program: to move its files here.
    (tools / "aws").write_text(
        f'#!/bin/sh\n[ "$1 $2 $3 $4" = "s3 mv --recursive s3://recordings/incoming/" ] || exit 9\n'
        f'find {bucket} -type f -exec mv -t "$5" {{}} +\n')
    (tools / "aws").chmod(0o755)
    (tools / "jfrtree").symlink_to(pathlib.Path(PROGRAM).resolve())
    script = script.replace("/var/lib/jfr", str(spool))
    script = script.replace("https://clickhouse.example.org:8443", profiles.url)
    assert str(spool) in script and profiles.url in script

    def run_script():
        environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
                       **account("loader")["environment"]}
        return subprocess.run(["sh", "-c", script], env=environment, capture_output=True,
                              text=True, timeout=120)

    done = run_script()
    assert done.returncode == 0 and done.stderr == ""
    shutil.copy(TESTDATA / "jdk17-chunks.jfr", bucket / "shop-1.4.2-a.jfr")
    whole = (TESTDATA / "jdk17-mixed.jfr").read_bytes()
    (bucket / "shop-1.4.3-b.jfr").write_bytes(whole + b"behind the end")
    done = run_script()
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (spool / "done").iterdir()) == [
        "shop-1.4.2-a.jfr", "shop-1.4.3-b.jfr"]
    assert list((spool / "incoming").iterdir()) == []
    versions = profiles.query(
        "SELECT DISTINCT service, labels['version'] FROM profile_samples WHERE service = 'shop' "
        "ORDER BY 2")
    assert versions == "shop\t1.4.2\n"
    done = run_script()
    assert done.returncode == 0 and done.stderr == ""


def test_create_needs_no_right_where_all_is_there(profiles):
    other = RECORDING.with_name("jdk17-names.jfr")
    assert "loaded into" in load(other, profiles.url, "--create", **account("loader"))
    missing = "profile_labels"
    view = profiles.query(f"SHOW CREATE TABLE {missing} FORMAT TSVRaw")
    profiles.query(f"DROP VIEW {missing}")
    text = load(other, profiles.url, "--create", code=1, **account("loader"))
    assert "this user may not make the tables: somebody who may runs what jfrtree clickhouse schema " \
        "prints" in text and "Not enough privileges" in text
    profiles.query(view)
    assert "skipped" in load(other, profiles.url, "--create", **account("loader"))
