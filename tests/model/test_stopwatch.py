"""The watch behind a call's clock, by hand."""

from interviewer.model.stopwatch import Stopwatch


def test_it_tells_what_it_showed_at_any_moment() -> None:
    watch = Stopwatch()
    assert watch.at(500) == 0
    watch.start(1_000)
    watch.start(9_000)  # changes nothing
    watch.hold(3_000)
    watch.hold(4_000)  # nor does this
    assert (watch.at(2_500), watch.at(3_000), watch.at(7_000)) == (1_500, 2_000, 2_000)
    watch.go_on(8_000)
    watch.go_on(8_500)
    # 5 s held: 10 s of the record are 4 s on the watch; inside the hold it stood at 2 s.
    assert (watch.at(500), watch.at(2_500), watch.at(5_000), watch.at(10_000)) == (0, 1_500, 2_000, 4_000)
    watch.hold(11_000)
    watch.go_on(12_000)
    assert (watch.at(13_000), watch.held_ms) == (6_000, 6_000)
