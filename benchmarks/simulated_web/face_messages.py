"""What an outside agent sends to the simulated web, and the bounds of each field."""

from typing import Any

from pydantic import BaseModel, Field

from benchmarks.simulated_web.budget import Budget
from benchmarks.simulated_web.faults import Faults
from benchmarks.simulated_web.tool_specs import MOST_AUTHORITY, Options
from workbench.schema.trajectory import Outcome

MOST_CALLS = 1000


class FaultRates(BaseModel):
    """Percent of calls that go wrong although they are right, by kind."""

    timeout: int = Field(default=0, ge=0, le=100)
    forbidden: int = Field(default=0, ge=0, le=100)
    empty: int = Field(default=0, ge=0, le=100)
    changed: int = Field(default=0, ge=0, le=100)


class ToolSettings(BaseModel):
    """What the tools do beyond searching and opening. Paging and finding change nothing for who does not use them."""

    typos: bool = False
    paging: bool = True
    find: bool = True
    authority: int = Field(default=0, ge=0, le=MOST_AUTHORITY)
    cache: bool = False

    def options(self) -> Options:
        return Options(**self.model_dump())


class StartMessage(BaseModel):
    """`question` is an id of `/questions`. `seconds` count the web's time and the agent's own. `fault_percent` is
    another word for the rate of time-outs."""

    question: str
    run: str | None = None
    model: str = "outside-agent"
    calls: int = Field(default=Budget().calls, ge=1, le=MOST_CALLS)
    top_k: int = Field(default=Budget().top_k, ge=1, le=50)
    tokens: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    tools: ToolSettings = Field(default_factory=ToolSettings)
    faults: FaultRates = Field(default_factory=FaultRates)
    fault_percent: int = Field(default=0, ge=0, le=100)

    def budget(self) -> Budget:
        return Budget(self.calls, self.top_k, self.tokens, self.seconds)

    def fault_rates(self, seed: str) -> Faults:
        rates = self.faults.model_dump()
        return Faults(seed=seed, **(rates | {"timeout": rates["timeout"] or self.fault_percent}))


class CallMessage(BaseModel):
    """One tool call, in the words of an OpenAI function call; `arguments` as an object."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    text: str = ""
    reasoning: str = ""


class SayMessage(BaseModel):
    text: str = ""
    reasoning: str = ""


class FinishMessage(BaseModel):
    """The report, or none with the outcome that says why."""

    report: str = ""
    reasoning: str = ""
    outcome: Outcome = "completed"
