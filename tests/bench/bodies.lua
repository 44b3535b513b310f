-- For wrk: POST the lines of a file one after another, and tell the result as a line of JSON.
--   wrk … -s bodies.lua http://127.0.0.1:8000/v1/adjudicate -- bodies.jsonl

local requests, sent = {}, 0

function init(arguments)
    local headers = { ["Content-Type"] = "application/json" }
    for line in io.lines(arguments[1]) do
        requests[#requests + 1] = wrk.format("POST", nil, headers, line)
    end
end

function request()
    sent = sent + 1
    return requests[(sent - 1) % #requests + 1]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "microseconds": %d, "failed": %d, "p50": %d, "p99": %d}\n',
        summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)
    ))
end
