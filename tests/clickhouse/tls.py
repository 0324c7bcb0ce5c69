"""TLS in front of a server: stunnel4 with certificates that openssl makes for the test."""

import shutil
import subprocess
import time

import pytest
from engine import WAIT_SECONDS
from ports import free_ports

CONFIG = """foreground = yes
debug = warning
pid =
[clickhouse]
accept = 127.0.0.1:{port}
connect = 127.0.0.1:{target}
cert = {folder}/{name}.pem
TIMEOUTclose = 0
"""


def find_stunnel():
    for name in ("openssl", "stunnel4"):
        if not shutil.which(name):
            pytest.skip(f"{name} is not there: scripts/setup --test installs it")
    return shutil.which("stunnel4")


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    """Who signs certificates, and a file of it to trust."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.file = folder / "ca.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=authority of a test",
                "-keyout", folder / "ca.key", "-out", self.file)

    def sign(self, name, alternative):
        """A certificate with its key, NAME.pem, for subjectAltName ALTERNATIVE."""
        request = self.folder / f"{name}.csr"
        extension = self.folder / f"{name}.ext"
        extension.write_text(f"subjectAltName = {alternative}\n")
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-subj", f"/CN={name}", "-keyout", self.folder / f"{name}.key", "-out",
                request)
        openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey",
                self.folder / "ca.key", "-CAcreateserial", "-days", "2", "-extfile", extension,
                "-out", self.folder / f"{name}.crt")
        (self.folder / f"{name}.pem").write_text(
            (self.folder / f"{name}.key").read_text() + (self.folder / f"{name}.crt").read_text())


class Tunnel:
    """A port that speaks TLS and passes on to `target`."""

    def __init__(self, authority, name, target, port=None):
        self.port = port or free_ports(1)[0]
        self.url = f"https://127.0.0.1:{self.port}"
        config = authority.folder / f"{name}.{self.port}.conf"
        config.write_text(CONFIG.format(port=self.port, target=target, folder=authority.folder,
                                        name=name))
        self.process = subprocess.Popen([find_stunnel(), config], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        self.wait(authority)

    def wait(self, authority):
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(self.process.stderr.read())
            check = subprocess.run(
                ["openssl", "s_client", "-connect", f"127.0.0.1:{self.port}", "-CAfile",
                 authority.file], stdin=subprocess.DEVNULL, capture_output=True)
            if check.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("stunnel did not answer")

    def stop(self):
        """At once, with all that goes through it."""
        self.process.kill()
        self.process.wait(WAIT_SECONDS)
        self.process.stderr.close()
