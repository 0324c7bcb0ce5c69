"""Ports of the loopback for servers of tests that run side by side."""

import random
import socket

# Below those that the kernel gives to clients: a server that was stopped finds its port free again.
PORTS = range(10_240, 32_000)


def _hold(port):
    """Takes a name for the port, until this process ends: no other test takes it then."""
    lock = socket.socket(socket.AF_UNIX)
    try:
        lock.bind(f"\0jfrtree-test-port-{port}")
    except OSError:
        lock.close()
        return False
    lock.detach()
    return True


def _is_free(port):
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count):
    ports = []
    while len(ports) < count:
        port = random.SystemRandom().choice(PORTS)
        if _hold(port) and _is_free(port):
            ports.append(port)
    return ports
