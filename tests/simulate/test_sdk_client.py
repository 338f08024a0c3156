from evals.clients.clients import sdk


def test_the_official_sdk_holds_a_spoken_exchange() -> None:
    assert sdk().wrong == ()
