"""A cluster of two shards, made of two servers without a Keeper."""

from engine import Server
from ports import free_ports
from queries import schema_statements

NAME = "two"
CONFIG = """<clickhouse><remote_servers><two>
<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>
</two></remote_servers></clickhouse>"""
LOCAL_TABLES = ("profile_samples", "profile_samples_1h", "profile_stacks",
                "profile_chunks", "profile_series")


class Cluster:
    def __init__(self, library, folder):
        self.library = library
        self.folder = folder
        self.ports = free_ports(4)
        self.config = folder / "cluster.xml"
        self.config.write_text(CONFIG.format(self.ports[1], self.ports[3]))
        self.servers = []
        for number in range(2):
            self.servers.append(None)
            self.start(number)
        for statement in schema_statements("--cluster", NAME, "--each-shard"):
            for server in self.servers:
                server.query(statement)

    def start(self, number):
        data = self.folder / str(number)
        data.mkdir(exist_ok=True)
        self.servers[number] = Server(self.library, data, str(self.config),
                                      self.ports[2 * number:2 * number + 2])

    def empty(self):
        for server in self.servers:
            for table in LOCAL_TABLES:
                server.query(f"TRUNCATE TABLE {table}_local")

    def stop(self):
        for server in self.servers:
            server.stop()
