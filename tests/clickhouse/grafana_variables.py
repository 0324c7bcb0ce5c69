"""What Grafana makes of the text of a query before a data source gets it.

A variable with a format, `${name:raw}` or `${name:sqlstring}`, is filled in by Grafana itself, by
neither plugin: raw as it is, sqlstring in quotes, with quotes in it doubled and backslashes left,
several values with commas between them. All of a variable with a value of its own for it is that.
"""

import json
import os
import re
import subprocess

PROGRAM = os.environ["JFRTREE_PROGRAM"]
ALL = None


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          check=True).stdout


def dashboard(*arguments):
    return json.loads(run("clickhouse", "dashboard", *arguments))


def panel(made, title):
    return next(each for each in made["panels"] if each["title"].startswith(title))


def sql_of(made, title):
    target = panel(made, title)["targets"][0]
    return target.get("rawSql") or target["query"]


def sql_string(value):
    if isinstance(value, list):
        return ",".join(map(sql_string, value))
    return "'" + value.replace("'", "''") + "'"


def filled(sql, **values):
    def value(match):
        name, _, form = match.group(1).partition(":")
        if values[name] is ALL:
            return "''"  # allValue of the dashboard
        return sql_string(values[name]) if form == "sqlstring" else str(values[name])
    return re.sub(r"\$\{([^}]+)\}", value, sql)


def queries(made):
    """All of a dashboard, by name."""
    found = {each["title"]: sql_of(made, each["title"]) for each in made["panels"]}
    found.update({each["name"]: each["query"] for each in made["templating"]["list"]
                  if each["type"] == "query"})
    return found
