"""The reference of the service's benchmark: bare Flask that reads a JSON body with orjson and writes it back."""

from __future__ import annotations

import orjson
from flask import Flask, Response, request

app = Flask(__name__, static_folder=None)


@app.post("/v1/adjudicate")
def echo() -> Response:
    return Response(orjson.dumps(orjson.loads(request.get_data())), content_type="application/json")


@app.get("/healthz")
def healthz() -> Response:
    return Response(b"{}", content_type="application/json")
