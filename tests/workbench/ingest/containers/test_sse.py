"""Event streams are cut into events, and a broken line costs only itself."""

import io

from workbench.ingest.containers import sse


def lines(text: str) -> list[bytes]:
    return text.encode().splitlines(keepends=True)


def test_events_keep_their_names_and_several_data_lines_are_one() -> None:
    stream = ': ping\nevent: a\ndata: {"x":\ndata: 1}\n\ndata: {}\nid: 7\n\n'
    assert list(sse.events(lines(stream))) == [("a", '{"x":\n1}'), ("message", "{}")]


def test_line_ends_and_missing_blank_lines_do_not_matter() -> None:
    expected = [("a", "1"), ("b", "2")]
    assert list(sse.events(lines("event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2"))) == expected
    assert list(sse.events(lines("event: a\ndata: 1\nevent: b\ndata: 2\n"))) == expected


def test_a_broken_event_is_kept_and_its_line_named() -> None:
    stream = b'event: a\ndata: {"x": 1}\n\nevent: a\ndata: {"x": \n\ndata: [DONE]\n\n'
    (record,) = sse.records(io.BytesIO(stream))
    assert record.raw == stream
    assert record.value == {
        "events": [{"event": "a", "data": {"x": 1}}, {"event": "a", "text": '{"x": '}],
        "bad_lines": [5],
    }


def test_a_stream_without_json_is_a_problem() -> None:
    (record,) = sse.records(io.BytesIO(b"data: {\n\n"))
    assert "none of the 1 events" in record.problem


def test_detected_by_its_bytes() -> None:
    assert sse.detect(b'event: message_start\ndata: {"a": 1}\n\n', "x.json")
    assert sse.detect(b'data: {"a": 1}\r\n\r\n', "")
    assert not sse.detect(b'{"data": "event: x"}', "x.sse")
    assert not sse.detect(b"data: prose about events\n", "x.txt")
