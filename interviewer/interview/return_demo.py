"""A simulated follow-up: the same guest, who remembers what it told, and a voice that remembers what it asked."""

import contextlib
from collections.abc import Callable

from interviewer.agents.research_search import Search, named_search
from interviewer.errors import PlanError
from interviewer.interview.demo import Demo, check_seed, keep_simulated
from interviewer.interview.returning import follow_up
from interviewer.interview.taking_turns import alone
from interviewer.kept.chain import Chain, chain_of
from interviewer.llm.router import Router
from interviewer.realtime.engine import Faults
from interviewer.settings import Settings
from interviewer.simulate.dossier import Dossier, by_name
from interviewer.simulate.guest import Disclosure
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.virtual import Watcher
from interviewer.store.store import Store


def run_follow_up(
    store: Store,
    interview: str = "last",
    *,
    pick: int | None = None,
    about: str | None = None,
    minutes: float | None = None,
    seed: int = 0,
    dossier: Dossier | str | None = None,
    settings: Settings | None = None,
    watcher: Watcher | None = None,
    simulate: Callable[..., Simulated] | None = None,
    faults: Faults | None = None,
    search: Search | None = None,
) -> Demo:
    """Run the next call of an interview against the simulator, and keep it like any other.

    `pick`, `about`, `minutes` as for `follow_up`, the others as for `run_demo`. `dossier`: the guest, by default that
    of the earlier calls. No other call of the interview begins meanwhile. Raises as `follow_up`; PlanError if they were
    no simulated ones and no dossier is given.
    """
    check_seed(seed)
    chosen = settings or Settings.load()
    search = search or named_search(chosen.agents.search)
    with (
        alone(store.home, store.resolve_interview(interview)),
        contextlib.closing(Router(chosen, seed=seed)) as backend,
    ):
        store.ingest_all()  # a call may have been held since the store was opened
        chain = chain_of(store, interview)
        known = dossier if isinstance(dossier, Dossier) else by_name(dossier or _dossier(chain))
        setup = follow_up(
            store, interview, pick=pick, about=about, minutes=minutes, backend=backend, settings=chosen
        ).model_copy(update={"world": "simulated", "searches": search is not None})
        return keep_simulated(
            store.home,
            setup,
            known,
            backend,
            seed=seed,
            simulate=simulate or simulate_call,
            search=search,
            told=told_in(chain),
            watcher=watcher,
            faults=faults,
        )


def told_in(chain: Chain) -> tuple[Disclosure, ...]:
    """What a simulated guest has told in the calls of a chain so far, as their journals say."""
    names = Disclosure.__slots__
    lines = (line for link in chain.readable if link.log for line in link.log.contents.lines if line.kind == "truth")
    told = (line.data.get("data") for line in lines if line.data.get("kind") == "disclosure")
    whole = (each for each in told if isinstance(each, dict) and set(names) <= each.keys())
    return tuple(Disclosure(**{name: each[name] for name in names}) for each in whole)


def _dossier(chain: Chain) -> str:
    for link in reversed(chain.readable):
        if link.log and (name := link.log.contents.head.get("dossier")):
            return str(name)
    raise PlanError(
        f"interview {chain.interview_id}: its guest is no simulated one; say who speaks in its place: --dossier"
    )
