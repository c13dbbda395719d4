"""What methods leave: draws by variable, summaries, diagnostics. Nothing here refers to the library: fits can be pickled."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence

import numpy as np

from fermiac._summary import Summary, matching, summary_of_draws, summary_of_library
from fermiac._runner import RunOutcome
from fermiac.variables import Layout

_OPTION = re.compile(r"--([a-z][a-z-]*)")  # of the command line


class Fit(Mapping[str, Any]):
    """Draws. `fit["mu"]` has the shape (chains, draws, *dimensions of mu), also lp__ and other columns of the method; ints are
    int64, complex numbers complex128, tuples are tuples of arrays, slot by slot.

    `columns` are the names of all numbers, `draws` all of them [chains, draws, columns]. Chains of a run that was stopped may
    have different lengths: `draws` goes as far as all that have any, `chains` has all of each."""

    def __init__(self, outcome: RunOutcome, layout: Layout, model: str, tables: Optional[list[np.ndarray]] = None) -> None:
        self._layout = layout
        self._result = outcome.result
        self.model = model
        self.chains: list[np.ndarray] = outcome.rows if tables is None else tables
        begun = [rows for rows in self.chains if len(rows)] or self.chains
        shortest = min((len(rows) for rows in begun), default=0)
        nothing = np.empty((0, 0, len(layout.columns)))
        self.draws: np.ndarray = np.stack([rows[:shortest] for rows in begun]) if begun else nothing
        self.messages: str = outcome.messages
        self.stopped: str = outcome.why_stopped  # why the run ended early; empty where it did not

    @property
    def columns(self) -> tuple[str, ...]:
        return self._layout.columns

    @property
    def method(self) -> str:
        return self._result["method"]

    @property
    def seed(self) -> int:
        return self._result["seed"]

    @property
    def seconds(self) -> float:
        return self._result["seconds"]

    def __getitem__(self, name: str) -> Any:
        return self._layout.take(name, self.draws)

    def __iter__(self) -> Iterator[str]:
        return iter(self._layout)

    def __len__(self) -> int:
        return len(list(self._layout))

    def __contains__(self, name: object) -> bool:
        return name in self._layout or name in self.columns

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def dict(self) -> Dict[str, Any]:
        """All variables by name."""
        return self._layout.dict(self.draws)

    @property
    def sampler(self) -> Dict[str, np.ndarray]:
        """What the method says about each draw, (chains, draws): lp__, divergent__, …"""
        return {name: self._layout.take(name, self.draws) for name in self._layout.lead}

    def summary(self, names: Optional[Sequence[str]] = None) -> Summary:
        """Means, intervals, diagnostics, of all numbers or of some variables."""
        return matching(self._summary(), names, self._title())

    def _summary(self) -> Summary:
        return summary_of_draws(self.columns, self.draws.reshape(-1, len(self.columns)), self._title())

    def pandas(self) -> Any:
        """A DataFrame with one row for each draw, chain__ and draw__ first. Needs pandas."""
        import pandas

        chains, draws, columns = self.draws.shape
        out = pandas.DataFrame(self.draws.reshape(-1, columns), columns=list(self.columns))
        out.insert(0, "chain__", np.repeat(np.arange(chains), draws))
        out.insert(1, "draw__", np.tile(np.arange(draws), chains))
        return out

    def to_inference_data(self, **groups: Any) -> Any:
        """As arviz.InferenceData (from arviz 1.0 on a DataTree of xarray) with the groups posterior, sample_stats and, where
        the program has a variable log_lik or log_likelihood, log_likelihood. More groups may be given by name,
        observed_data={"y": y}. Needs arviz."""
        from fermiac._inference_data import inference_data

        return inference_data(self, groups)

    def _title(self) -> str:
        chains, draws = self.draws.shape[:2]
        return f"{self.method} of {self.model}: {chains} chain{'s' if chains != 1 else ''} of {draws} draws"

    def __repr__(self) -> str:
        stopped = f"\nstopped: {self.stopped}" if self.stopped else ""
        return f"{self._title()}{stopped}\nvariables: {', '.join(self)}"


class SampleFit(Fit):
    """Of `sample`. `warmup` [chains] has the warm-up's rows where they were asked for."""

    def __init__(self, outcome: RunOutcome, layout: Layout, model: str) -> None:
        super().__init__(outcome, layout, model)
        self.warmup: list[np.ndarray] = [np.array(outcome.warmup[c]) for c in sorted(outcome.warmup)]

    @property
    def problems(self) -> str:
        """In words, what speaks against trusting the draws; empty where nothing does, and where no_summary was set."""
        return _OPTION.sub(lambda match: match[1].replace("-", "_"), self._result.get("problems", ""))

    @property
    def divergences(self) -> int:
        """How many draws ended a trajectory that diverged."""
        return int(self["divergent__"].sum()) if "divergent__" in self else 0

    def _summary(self) -> Summary:
        rows = self._result.get("summary")
        return summary_of_library(rows, self._title()) if rows else super()._summary()

    def __repr__(self) -> str:
        return super().__repr__() + (f"\n{self.problems.rstrip()}" if self.problems else "")


class Pathfinder(Fit):
    """Of `pathfinder`. `paths` has the draws of each path where they were asked for."""

    def __init__(self, outcome: RunOutcome, layout: Layout, model: str) -> None:
        super().__init__(outcome, layout, model, outcome.rows[:1])
        self.paths = [Fit(outcome, layout, model, [rows]) for rows in outcome.rows[1:]]


class Variational(Fit):
    """Of `variational`. `mean` is the centre of the approximation."""

    def __init__(self, outcome: RunOutcome, layout: Layout, model: str) -> None:
        super().__init__(outcome, layout, model, [outcome.rows[0][1:]])
        self.mean: Dict[str, Any] = layout.dict(outcome.rows[0][0])


class Optimum(Fit):
    """Of `optimize`. `optimum["mu"]` is the value, in the shape that mu has in the program."""

    def __getitem__(self, name: str) -> Any:
        return self._layout.take(name, self.chains[0][-1])

    def dict(self) -> Dict[str, Any]:
        """All variables by name."""
        return {name: self[name] for name in self}

    @property
    def log_density(self) -> float:
        """At the optimum, lp__."""
        return float(self["lp__"])

    @property
    def iterations(self) -> Dict[str, Any]:
        """Variables along the way, (iterations, *dimensions), where save_iterations was set; else the optimum alone."""
        return self._layout.dict(self.chains[0])

    def __repr__(self) -> str:
        stopped = f"\nstopped: {self.stopped}" if self.stopped else ""
        values = "\n".join(f"{name} = {self[name]}" for name in self)
        return f"optimum of {self.model}: lp__ = {self.log_density:.6g}{stopped}\n{values}"


class Diagnosis:
    """Of `diagnose`: gradients beside finite differences."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text.strip("\n")
