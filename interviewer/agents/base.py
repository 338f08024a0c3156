"""An agent is a value: what it reads, what it returns, how it is asked, and what stands in when it fails."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from interviewer.agents.offered import Offered, check_offered
from interviewer.agents.prompts import Piece, Prompt, fitted
from interviewer.errors import AgentError
from interviewer.llm.told import as_json

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)

WHOLE = 32_000
"""Budget in tokens of the agents that read a whole transcript: some two hours of talk."""
_REMEMBERED = 4
_TOLD = 8


class AgentInput(BaseModel):
    """What every agent gets: the topic, the person's own context and the language of the call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str
    context: str = ""
    language: str = "en"

    @property
    def digest(self) -> str:
        """Sixteen hex digits over the whole input: two runs with the same digest were asked the same."""
        return hashlib.sha256(as_json(self).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Agent(Generic[In, Out]):
    """A named task from a validated input to a validated output.

    `instructions` is the fixed part of the prompt and `data` gives the parts below it, with everything said or
    written by others fenced as data; both together take at most `budget` estimated tokens. `rules` is the form that
    needs no model: deterministic and honest. `fallback` stands in when the agent fails; without one a failure is an
    error. `offers` gives, for each field of the output that names something shown, what it may name. `mend` puts right,
    before an output is validated, what models get wrong and nothing hangs on.
    """

    name: str
    input: type[In]
    output: type[Out]
    instructions: str
    data: Callable[[In], Sequence[Piece]]
    rules: Callable[[In], Out]
    fallback: Callable[[In], Out] | None = None
    offers: Callable[[In], Offered] | None = None
    mend: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    budget: int = 8_000

    @cached_property
    def version(self) -> str:
        """Twelve hex digits over instructions and output schema: changes when either does."""
        schema = json.dumps(self.output.model_json_schema(), sort_keys=True)
        return hashlib.sha256(f"{self.instructions}\n{schema}".encode()).hexdigest()[:12]

    def ask(self, data: In) -> Prompt:
        """The prompt for this input, within the budget, with its size and what was left out."""
        # Whoever runs an agent and whoever writes the run down want it, one after the other.
        known = self._asked.get(id(data))
        if known is not None and known[0] is data:
            return known[1]
        prompt = fitted(self.instructions, self.data(data), self.budget)
        self._asked[id(data)] = data, prompt
        for old in list(self._asked)[:-_REMEMBERED]:
            self._asked.pop(old, None)
        return prompt

    @cached_property
    def _asked(self) -> dict[int, tuple[In, Prompt]]:
        """The latest prompts by the input they were made for, which is kept so that no other can take its place."""
        return {}

    def prompt(self, data: In) -> str:
        """The text of the prompt for this input."""
        return self.ask(data).text

    def parse(self, output: dict[str, Any]) -> Out:
        """`output` as the output model. Raises AgentError naming the field that does not fit."""
        try:
            return self.output.model_validate(self.mend(output) if self.mend else output)
        except ValidationError as error:
            raise AgentError(f"{self.name} returned something that does not fit: {_problems(error)}") from None
        except ValueError as error:
            raise AgentError(f"{self.name} returned something that does not fit: {error}") from None

    def offered(self, data: In) -> Offered:
        """What the fields of an output may name, by their names; fields not in it are free."""
        return self.offers(data) if self.offers else {}

    def check(self, output: Out, data: In) -> None:
        """Raises AgentError if the output names an id that was not offered."""
        check_offered(output, self.offered(data))


def _problems(error: ValidationError) -> str:
    """The first of the fields that do not fit, and why; never what stands in them."""
    told = error.errors(include_url=False, include_input=False, include_context=False)
    fields = [f"{'.'.join(map(str, each['loc'])) or 'the whole'}: {each['msg']}" for each in told[:_TOLD]]
    return "; ".join([*fields, f"and {len(told) - _TOLD} more"] if len(told) > _TOLD else fields)
