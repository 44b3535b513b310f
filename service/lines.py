"""Lines to Redis: from an address to something that runs commands in one round trip.

| address | server |
|---|---|
| `redis://[user:password@]host:port/db`, `rediss://…` (TLS), `unix:///path?db=0` | one |
| `redis+sentinel://[user:password@]host:port,host:port/service[/db]`, `rediss+sentinel://…` | its master now |
| `redis+cluster://[user:password@]host:port,host:port`, `rediss+cluster://…` | a Redis Cluster |

redis-py's own client costs three times the round trip itself and by default retries for seconds on a dead server. So
each thread keeps a connection of its own and speaks the protocol over it, with timeouts, and tries again only once,
when a connection that had idled turns out to be closed. A cluster needs the client for its slots.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from hiredis import pack_command
from redis import ConnectionPool, RedisCluster
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import MovedError, ResponseError
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from service.config import BadSetting

PORT = 6379
SENTINEL_PORT = 26379

QUIET = {"driver_info": None}  # no CLIENT SETINFO when connecting

Value = str | bytes | int
Command = tuple[Value, ...]


class Line(Protocol):
    """Takes commands to a server. Those that go together must have keys that share a slot."""

    def run(self, *commands: Command) -> list[Any]:
        """The replies to commands, in one round trip."""
        ...

    def begin(self, command: Command) -> Ending:
        """Send a command; its reply is waited for later, by the same thread, which has something else to do."""
        ...


Ending = Callable[[], Any]


class Begun:
    """A command that was sent. `reply` is None until it is there: SET and its like have no such reply."""

    __slots__ = ("command", "reply")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.reply: Any = None


class Direct:
    """A line to one server, which a pool knows how to reach: a connection a thread, made on first use."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self._own = threading.local()

    def run(self, *commands: Command) -> list[Any]:
        own = self._connected()
        begun, own.begun = own.begun, []
        sent = tuple([each.command for each in begun])
        replies = self._exchange(own.connection, sent, commands, len(sent) + len(commands))
        for each in begun:
            each.reply = replies.pop(0)
        return _sound(replies)

    def begin(self, command: Command) -> Ending:
        own = self._connected()
        if own.begun:
            self.run()
        self._exchange(own.connection, (), (command,), 0)
        begun = Begun(command)
        own.begun.append(begun)
        return partial(self._end, begun)

    def _end(self, begun: Begun) -> Any:
        """The reply to a command, which came with those of later ones if there were any."""
        if begun.reply is None and begun in self._connected().begun:
            self.run()
        if begun.reply is None:
            raise Disconnected("The connection was lost before the reply came")
        return _sound([begun.reply])[0]

    def _exchange(
        self, connection: Any, sent: tuple[Command, ...], commands: tuple[Command, ...], awaited: int
    ) -> list[Any]:
        """Send commands after those that were sent before, and read so many replies.

        A connection that idled may have been closed meanwhile: then all are sent again over a new one.
        """
        idled = connection.is_connected
        try:
            return _exchange(connection, commands, awaited)
        except Disconnected:
            connection.disconnect()
            if not idled:
                raise
        return _exchange(connection, (*sent, *commands), awaited)

    def _connected(self) -> Any:
        """This thread's connection, and what is begun on it; one from before a fork is left to the parent."""
        own = self._own
        if getattr(own, "process", None) != os.getpid():
            own.process, own.connection, own.begun = os.getpid(), self._pool.make_connection(), []
        return own


def _sound(replies: list[Any]) -> list[Any]:
    """The replies, unless there is an error among them: that is raised, now that nothing is left on the line."""
    for each in replies:
        if isinstance(each, ResponseError):
            raise each
    return replies


def _exchange(connection: Any, commands: tuple[Command, ...], awaited: int) -> list[Any]:
    """Send commands, then read so many replies."""
    if not connection.is_connected:
        connection.connect()
    if commands:
        packed = b"".join([pack_command(command) for command in commands])  # type: ignore[arg-type]
        connection.send_packed_command([packed], check_health=False)
    return [_reply(connection) for _ in range(awaited)]


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


class Clustered:
    """A line to a Redis Cluster. Its slots are learnt on first use, so that the service starts without it."""

    def __init__(self, nodes: list[tuple[str, int]], options: dict[str, Any]) -> None:
        self._nodes = nodes
        self._options = options
        self._lock = threading.Lock()
        self._made: tuple[int, Any] = (0, None)

    def run(self, *commands: Command) -> list[Any]:
        client = self._client()
        if len(commands) == 1:
            return [client.execute_command(*commands[0])]
        if commands[-1][0] == "WAIT":
            return _run_at_owner(client, commands)
        pipeline = client.pipeline()
        for command in commands:
            pipeline.execute_command(*command)
        replies: list[Any] = pipeline.execute()
        return replies

    def begin(self, command: Command) -> Ending:
        """The client waits for every reply at once."""
        replies = self.run(command)
        return lambda: replies[0]

    def _client(self) -> Any:
        """This process's client. Who comes while it is being made does not wait."""
        process, client = self._made
        if process == os.getpid():
            return client
        if not self._lock.acquire(blocking=False):
            raise Disconnected("The cluster is being looked up")
        try:
            client = self._connect()
            self._made = (os.getpid(), client)
            return client
        finally:
            self._lock.release()

    def _connect(self) -> Any:
        node: Any = ClusterNode  # untyped
        nodes = [node(host, port) for host, port in self._nodes]
        return RedisCluster(startup_nodes=nodes, retry=Retry(NoBackoff(), 1), **self._options)


def _run_at_owner(client: Any, commands: tuple[Command, ...]) -> list[Any]:
    """Run a script and WAIT at the owner of its slot, over one connection: WAIT counts what was written over that."""
    key = commands[0][3]
    try:
        return _exchange_at(client, key, commands)
    except MovedError:
        client.execute_command("EXISTS", key)  # follows the slot, and learns where it is
    return _exchange_at(client, key, commands)


def _exchange_at(client: Any, key: Value, commands: tuple[Command, ...]) -> list[Any]:
    pool = client.get_redis_connection(client.get_node_from_key(key)).connection_pool
    connection = pool.get_connection()
    try:
        return _sound(_exchange(connection, commands, len(commands)))
    except Disconnected:
        connection.disconnect()
        raise
    finally:
        pool.release(connection)


# Addresses


def open_line(url: str, timeout: float) -> Line:
    """The line to the server at an address; BadSetting if it is none we know. Nothing is connected yet."""
    options: dict[str, Any] = {"socket_timeout": timeout, "socket_connect_timeout": timeout, "protocol": 2, **QUIET}
    scheme = url.partition("://")[0]
    try:
        if scheme in ("redis+cluster", "rediss+cluster"):
            return _clustered(urlsplit(url), options)
        options.update(retry=Retry(NoBackoff(), 0), max_connections=2**31)
        if scheme in ("redis+sentinel", "rediss+sentinel"):
            return Direct(_sentinel_pool(urlsplit(url), options))
        return Direct(ConnectionPool.from_url(url, **options))
    except ValueError as error:
        raise BadSetting(f"REDIS_URL cannot be read: {error}") from None


def _clustered(url: SplitResult, options: dict[str, Any]) -> Clustered:
    if url.path.strip("/") not in ("", "0"):
        raise ValueError("a cluster has no databases")
    return Clustered(_hosts(url, PORT), {**options, **_credentials(url), "require_full_coverage": False})


def _sentinel_pool(url: SplitResult, options: dict[str, Any]) -> ConnectionPool:
    """A pool that asks the sentinels for the master whenever it connects."""
    service, _, db = url.path.strip("/").partition("/")
    if not service:
        raise ValueError("name the service: redis+sentinel://host:port/service")
    query = dict(parse_qsl(url.query))
    asking = {name.removeprefix("sentinel_"): query[name] for name in query if name.startswith("sentinel_")}
    secure = {"ssl": True} if url.scheme.startswith("rediss") else {}
    ask: Any = Sentinel  # untyped, as is its pool
    pool: Any = SentinelConnectionPool
    sentinel = ask(_hosts(url, SENTINEL_PORT), sentinel_kwargs={**options, **secure, **asking})
    made: ConnectionPool = pool(service, sentinel, db=int(db or 0), **options, **_credentials(url))
    return made


def _hosts(url: SplitResult, port: int) -> list[tuple[str, int]]:
    """The hosts of an address, each with its port."""
    found = []
    for each in url.netloc.rpartition("@")[2].split(","):
        one = urlsplit(f"//{each}")
        if not one.hostname:
            raise ValueError("a host is missing")
        found.append((one.hostname, one.port or port))
    return found


def _credentials(url: SplitResult) -> dict[str, Any]:
    user, _, password = url.netloc.rpartition("@")[0].partition(":")
    told: dict[str, Any] = {"username": unquote(user) or None, "password": unquote(password) or None}
    return {**told, "ssl": True} if url.scheme.startswith("rediss") else told
