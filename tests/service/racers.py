"""Processes that send many requests at the same moment, each over connections of its own."""

from __future__ import annotations

import multiprocessing
import socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

PROCESSES = 4
SPAWN = multiprocessing.get_context("spawn")  # a fork would take the tests' threads and sockets along


class Answer(NamedTuple):
    status: int
    body: Any


class Connection:
    """A kept connection; what is sent need not be read at once."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._socket = socket.create_connection((address.hostname, address.port), timeout=30)
        self._file = self._socket.makefile("rb")

    def send(self, path: str, document: Any) -> None:
        body = orjson.dumps(document)
        head = (f"POST {path} HTTP/1.1", "Host: t", "Content-Type: application/json", f"Content-Length: {len(body)}")
        self._socket.sendall("\r\n".join((*head, "", "")).encode() + body)

    def receive(self) -> Answer:
        status = int(self._file.readline().split()[1])
        headers = dict(line.decode().lower().rstrip().split(": ", 1) for line in iter(self._file.readline, b"\r\n"))
        return Answer(status, orjson.loads(self._file.read(int(headers["content-length"]))))

    def ask(self, path: str, document: Any) -> Answer:
        self.send(path, document)
        return self.receive()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def race(url: str, pipe: Any, lanes: int) -> None:
    """Send what comes through the pipe, a document a connection, all before any answer is read; until None comes."""
    connections = [Connection(url) for _ in range(lanes)]
    while (documents := pipe.recv()) is not None:
        used = [*zip(connections, documents, strict=False)]
        for connection, document in used:
            connection.send("/v1/adjudicate", document)
        pipe.send([connection.receive() for connection, _ in used])
    for connection in connections:
        connection.close()
    pipe.close()


class Racers:
    """Some processes that race; a context, at whose end they are gone."""

    def __init__(self, url: str, lanes: int) -> None:
        self._url = url
        self._lanes = lanes

    def __enter__(self) -> Racers:
        pairs = [SPAWN.Pipe() for _ in range(PROCESSES)]
        self._pipes = [near for near, _ in pairs]
        self._processes = [SPAWN.Process(target=race, args=(self._url, far, self._lanes)) for _, far in pairs]
        for process, (_, far) in zip(self._processes, pairs, strict=True):
            process.start()
            far.close()
        return self

    def __exit__(self, *_: object) -> None:
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.send(None)
            process.join()
            process.close()
            pipe.close()

    def start(self, documents: list[Any]) -> None:
        """Send all documents, dealt out to the processes like cards."""
        self._count = len(documents)
        for number, pipe in enumerate(self._pipes):
            pipe.send(documents[number::PROCESSES])

    def finish(self) -> list[Answer]:
        """The answers, in the order of the documents."""
        told = [pipe.recv() for pipe in self._pipes]
        return [told[number % PROCESSES][number // PROCESSES] for number in range(self._count)]

    def run(self, documents: list[Any]) -> list[Answer]:
        self.start(documents)
        return self.finish()
