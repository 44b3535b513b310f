"""/metrics: what is counted, by words of ours only, over all workers, and what it costs."""

import os
import re
import signal
import timeit
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from service import metrics
from service.cells import CELLS, DIRECTORY, MEMORY, SPARE, Cells, Key, share
from tests.service.servers import eventually, serving

SHARE = 1 / 20  # of the time that the least of requests takes


def told(text, name, **labels):
    """The value of a sample, or 0."""
    samples = (sample for family in families(text) for sample in family.samples)
    return sum(each.value for each in samples if each.name == name and labels.items() <= each.labels.items())


@pytest.fixture
def grown(client):
    """By how much a sample has grown since the test began."""
    before = client.get("/metrics").text
    return lambda name, **labels: told(client.get("/metrics").text, name, **labels) - told(before, name, **labels)


def test_requests_are_counted_by_route(client, grown):
    client.get("/v1/editions/pl")
    client.get("/v1/editions/cs-2016")
    client.get("/v1/editions/nowhere")
    count = "kaijudge_request_seconds_count"
    assert grown(count, route="/v1/editions/<edition>", method="GET", status="2xx") == 2
    assert grown(count, route="/v1/editions/<edition>", method="GET", status="4xx") == 1
    assert grown("kaijudge_problems_total", problem="not-found") == 1
    assert grown("kaijudge_request_seconds_bucket", route="/v1/editions/<edition>", le="+Inf") == 3
    assert grown("kaijudge_request_seconds_sum", route="/v1/editions/<edition>") > 0


def test_what_a_client_invents_makes_no_label(client, grown):
    client.get("/ann/bob")
    client.open("/v1/editions", method="BREW")
    assert grown("kaijudge_request_seconds_count", route="none", method="GET", status="4xx") == 1
    assert grown("kaijudge_request_seconds_count", method="other") == 1
    assert not re.search("ann|BREW", client.get("/metrics").text)


def test_adjudications_are_counted_by_what_came_of_them(referee, grown):
    state = referee.new_game(players=[{"id": "annsecret", "name": "Ann Secret"}, {"id": "b"}])["state"]
    referee.adjudicate(state, state["decision"]["default"])
    refused = referee.adjudicate(state, {"type": "end_turn", "player": "annsecret"})
    code = refused.get_json()["violations"][0]["code"]
    assert grown("kaijudge_adjudications_total", action=state["decision"]["default"]["type"], outcome="accepted") == 1
    assert grown("kaijudge_adjudications_total", action="end_turn", outcome=code) == 1
    assert grown("kaijudge_problems_total", problem="illegal-action") == 1
    assert "secret" not in referee.client.get("/metrics").text.lower()


@pytest.fixture
def closed():
    """No breaker of this process is open, whatever tests before this one did to theirs."""
    metrics.breaker_closed()


def test_what_the_store_says(closed, grown):
    metrics.hit("state")
    metrics.hit("state")
    metrics.miss("state")
    metrics.store_failed("get")
    metrics.breaker_opened()
    assert grown("kaijudge_cache_total", cache="state", result="hit") == 2
    assert grown("kaijudge_cache_total", cache="state", result="miss") == 1
    assert grown("kaijudge_store_failures_total", command="get") == 1
    assert grown("kaijudge_store_breaker_open") == 1
    metrics.breaker_closed()
    assert grown("kaijudge_store_breaker_open") == 0


def test_it_is_what_prometheus_reads(client):
    answer = client.get("/metrics", headers={"Accept": "application/openmetrics-text;q=0.5,text/plain;q=0.3"})
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert {family.name for family in families(answer.text)} >= {"kaijudge_info", "kaijudge_request_seconds"}


def test_all_workers_are_counted_and_those_that_ended():
    """One worker is killed: what it counted stays, and nothing is left when the service ends."""
    with serving(REDIS_URL="none") as (url, process):
        [directory] = [*Path(MEMORY).glob(f"kaijudge-metrics-{process.pid}-*")]
        asked = 0
        while len([*directory.glob("*.keys")]) < 2:  # connections are spread by the kernel
            httpx.get(url + "/version").raise_for_status()
            asked += 1
        assert count(url) == asked
        os.kill(int(next(directory.glob("*.keys")).name.partition("-")[0]), signal.SIGKILL)
        assert eventually(lambda: len([*directory.glob("*.gone")]) == 1)
        assert count(url) == asked
    assert not directory.exists()


def count(url):
    for _ in range(20):  # a connection may have been on its way to the worker that was killed
        try:
            return told(httpx.get(url + "/metrics").text, "kaijudge_request_seconds_count", route="/version")
        except httpx.HTTPError:
            continue
    raise AssertionError("no answer")


# Cells


def test_cells_of_several_processes_are_read_together(tmp_path):
    cells, others = Cells(tmp_path), Cells(tmp_path)
    for each in (cells, others):
        each.add(each.place(Key("requests", ("/",))), 2.0)
    others.put(others.place(Key("open")), 1.0)
    readings = [*cells.read()]
    assert sum(each.values[0] for each in readings if each.key == Key("requests", ("/",))) == 4.0
    assert [each.values for each in readings if each.key == Key("open")] == [(1.0,)]
    assert all(each.live for each in readings)


def test_cells_of_a_process_that_ended(tmp_path):
    cells = Cells(tmp_path)
    cells.add(cells.place(Key("requests")))
    cells.forget(os.getpid())
    assert [(each.values, each.live) for each in cells.read()] == [((1.0,), False)]
    Cells().forget(os.getpid())


def test_a_line_that_is_still_being_written(tmp_path):
    cells = Cells(tmp_path)
    cells.add(cells.place(Key("requests")))
    with next(tmp_path.glob("*.keys")).open("ab") as file:
        file.write(b'["half')
    assert len([*cells.read()]) == 1


def test_what_killed_services_left_is_swept(tmp_path, monkeypatch):
    monkeypatch.setattr("service.cells.MEMORY", str(tmp_path))
    monkeypatch.setattr("service.cells.atexit", SimpleNamespace(register=lambda *_: None))
    monkeypatch.setenv(DIRECTORY, "")
    old, new, other = (tmp_path / name for name in ("kaijudge-metrics-1-a", "kaijudge-metrics-2-b", "kaijudge-redis"))
    for each in (old, new, other):
        each.mkdir()
    for each in (old, other):
        os.utime(each, (0, 0))
    share()
    mine = Path(os.environ[DIRECTORY])
    assert {*tmp_path.iterdir()} == {new, other, mine}
    os.utime(mine, (0, 0))
    monkeypatch.setenv(DIRECTORY, "another process's")
    share()
    assert mine.exists()


def test_cells_have_an_end():
    """What there is no cell for is not counted; nothing fails, and nothing else is spoilt."""
    cells = Cells()
    first = cells.place(Key("first"))
    cells.place(Key("most"), CELLS - SPARE - 1)
    cells.add(cells.place(Key("too many")), 7.0)
    assert cells.place(Key("first")) == first
    assert {each.key.metric: sum(each.values) for each in cells.read()} == {"first": 0.0, "most": 0.0}


def test_threads_lose_nothing():
    cells = Cells()
    place = cells.place(Key("requests"))

    def count_on():
        for _ in range(20_000):
            cells.add(place)

    with ThreadPoolExecutor(4) as pool:
        for _ in range(4):
            pool.submit(count_on)
    assert [each.values for each in cells.read()] == [(80_000.0,)]


def test_counting_is_cheap(client):
    """Against a request on the same machine; it is less than a hundredth of one."""
    counting = timeit.repeat(lambda: metrics.request("/bench", "POST", 200, 0.0007), number=2000, repeat=20)
    asking = timeit.repeat(lambda: client.get("/version"), number=10, repeat=20)
    assert min(counting) / 2000 < SHARE * min(asking) / 10
