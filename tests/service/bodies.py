"""Bodies that no client should send, by what is wrong with them."""

MALFORMED = {
    "nothing": b"",
    "no JSON": b"roll",
    "half of it": b'{"state": {',
    "two values": b"{} {}",
    "NaN": b'{"state": NaN}',
    "infinity": b"[-Infinity]",
    "an infinite number": b"[1e999]",
    "a number of 5000 digits": b"1" * 5000,
    "invalid UTF-8": b'{"state": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "half a surrogate pair": b'["\\ud800"]',
    "a control character": b'["\x01"]',
    "a comment": b"{} // x",
    "a comma too many": b"[1,]",
    "a leading zero": b"[01]",
    "a key twice": b'{"a":1,"a":2}',
    "a key twice, deep down": b'[{"b": [{"a": 1, "c": 2, "a": 1}]}]',
    "a key twice, escaped": b'{"a":1,"\\u0061":2}',
    "300 levels": b"[" * 300 + b"]" * 300,
    "100,000 levels": b"[" * 100_000,
    "300 levels of objects": b'{"a":' * 300 + b"1" + b"}" * 300,
}

FLOATS = {
    b"[1.0]": ["/0"],
    b'{"a/b": 1.5, "c": [{"~": 1e2}]}': ["/a~1b", "/c/0/~0"],
    b"[18446744073709551617]": ["/0"],
    b"[-9223372036854775809]": ["/0"],
    b"-0.0": [""],
}
