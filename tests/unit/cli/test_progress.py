"""Progress in a log: a line now and then, with what was done of how many."""

from percuss.engine.progress import Lines, Progress


def test_a_line_every_ten_seconds_and_none_of_what_is_quick() -> None:
    now: list[float] = [0.0]
    said: list[str] = []
    watch = Lines(clock=lambda: now[0], write=said.append)
    for second in range(35):
        now[0] = float(second)
        watch(Progress(stage="ask", done=second, total=1_000, calls=second))
    assert said == [
        "asking: 10 of 1,000 (10 calls)", "asking: 20 of 1,000 (20 calls)", "asking: 30 of 1,000 (30 calls)",
    ]  # fmt: skip
