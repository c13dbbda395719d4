"""One run of a method: started on a thread of its own, so that this one can be interrupted, with what it says and leaves."""

from __future__ import annotations

import ctypes
import json
import queue
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import numpy as np

from fermiac import _library
from fermiac._json import plain_option
from fermiac._library import Handle, library
from fermiac._progress import ProgressLine, progress_line
from fermiac.errors import ArgumentError, FermiacError, MethodError, StoppedError

_POLL = 0.05  # seconds in which prints, progress and wishes to stop are seen


@dataclass
class RunOutcome:
    """What a run left. `rows` [rows, columns] of each table, after the warm-up; `warmup` the same before its end."""

    result: dict[str, Any]
    columns: list[list[str]]
    rows: list[np.ndarray]
    warmup: dict[int, list[np.ndarray]] = field(default_factory=dict)
    messages: str = ""
    why_stopped: str = ""  # empty where it reached its end

    @property
    def has_rows(self) -> bool:
        return any(len(r) for r in self.rows)


def execute(
    model: Handle,
    method: str,
    options: dict[str, Any],
    stop: Optional[threading.Event] = None,
    progress: Optional[bool] = None,
    on_draw: Optional[Callable[[int, int, np.ndarray], None]] = None,
) -> RunOutcome:
    """Runs it to its end. A run that was stopped is an outcome if it has rows, else KeyboardInterrupt or StoppedError."""
    if stop is not None and not hasattr(stop, "is_set"):
        raise ArgumentError(f"stop is {stop!r}, but must be a threading.Event")
    if on_draw is not None and not callable(on_draw):
        raise ArgumentError(f"on_draw is {on_draw!r}, but must be a function of chain, index and row")
    given = {name: plain_option(value, name) for name, value in options.items() if value is not None}
    line = progress_line(progress)
    return _Run(model, {"method": method, **given}, stop, line, on_draw).execute()


class _Run:
    def __init__(self, model, options, stop, line: Optional[ProgressLine], on_draw) -> None:
        self._line, self._stop, self._on_draw = line, stop, on_draw
        self._said: list[str] = []
        self._printed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._warmup: dict[int, list[np.ndarray]] = {}
        self._failure: Optional[BaseException] = None  # of on_draw, or of the run
        self._over = threading.Event()
        self._interrupted = False
        wants_rows = on_draw is not None or options.get("save_warmup", False)
        callbacks = self._callbacks(wants_rows)
        text = json.dumps(options).encode()
        pointer = library().checked("run_create", model.pointer, text, ctypes.byref(callbacks))
        self._handle = Handle("run", pointer, callbacks)

    def _callbacks(self, wants_rows: bool) -> _library.RunCallbacks:
        out = _library.RunCallbacks(size=ctypes.sizeof(_library.RunCallbacks))
        out.message = _library.MessageCallback(self._message)
        out.print = _library.RunPrintCallback(self._print)
        if self._line:
            update = self._line.update
            out.progress = _library.ProgressCallback(lambda _, *state: update(*state) or 0)
        if wants_rows:
            out.row = _library.RowCallback(self._row)
        return out

    # Callbacks, on threads of the run.

    def _message(self, user_data, text: bytes) -> int:
        self._said.append(text.decode(errors="replace"))
        return 0

    def _print(self, user_data, text, size: int) -> int:
        self._printed.put(ctypes.string_at(text, size).decode(errors="replace"))
        return 0

    def _row(self, user_data, row) -> int:
        r = row.contents
        values = np.ctypeslib.as_array(r.values, (r.count,)).copy()
        if r.warmup:
            self._warmup.setdefault(r.table, []).append(values)
        elif self._on_draw is not None:
            return self._tell(r.table, r.index, values)
        return 0

    def _tell(self, chain: int, index: int, values: np.ndarray) -> int:
        try:
            self._on_draw(chain, index, values)
        except BaseException as error:  # goes on where the run was started
            self._failure = self._failure or error
            return 1
        return 0

    # The thread that waits.

    def execute(self) -> RunOutcome:
        try:
            threading.Thread(target=self._work, name="fermiac run").start()
            self._wait()
        finally:
            if not self._over.is_set():  # an exception from here: of a stream that is closed, say
                library().run_stop(self._handle.pointer)
        self._look_around()
        if self._line:
            self._line.end()
        return self._outcome()

    def _wait(self) -> None:
        while True:
            try:
                # An event and not Thread.join, which takes a thread for ended when it is interrupted (bpo-45274).
                if self._over.wait(_POLL):
                    break
                self._look_around()
            except KeyboardInterrupt:
                self._interrupted = True
                library().run_stop(self._handle.pointer)

    def _work(self) -> None:
        try:
            library().checked("run_execute", self._handle.pointer)
        except BaseException as error:
            self._failure = self._failure or error
        finally:
            self._over.set()

    def _look_around(self) -> None:
        if self._stop is not None and self._stop.is_set():
            library().run_stop(self._handle.pointer)
        while not self._printed.empty():
            sys.stdout.write(self._printed.get())
        if self._line:
            self._line.show()

    def _outcome(self) -> RunOutcome:
        failure = self._failure
        if failure is not None and not isinstance(failure, StoppedError):
            if isinstance(failure, MethodError):
                raise self._with_messages(failure)
            raise failure
        columns, rows = self._tables()
        result = json.loads(library().run_result_json(self._handle.pointer) or b"{}")
        out = RunOutcome(result, columns, rows, self._warmup, "".join(self._said), str(failure or ""))
        if failure is not None and not out.has_rows:
            raise KeyboardInterrupt() if self._interrupted else failure
        return out

    def _with_messages(self, failure: FermiacError) -> MethodError:
        said = "".join(self._said)
        text = failure.message if failure.message else "the method failed"
        return MethodError(f"{text}\n{said}".rstrip() if said else text, failure.place, said)

    def _tables(self) -> tuple[list[list[str]], list[np.ndarray]]:
        lib, run = library(), self._handle.pointer
        columns, rows = [], []
        for table in range(lib.run_table_count(run)):
            columns.append(lib.texts("run_columns", run, table))
            rows.append(_rows(run, table))
        return columns, rows


def _rows(run: int, table: int) -> np.ndarray:
    rows, columns = ctypes.c_size_t(), ctypes.c_size_t()
    numbers = library().run_rows(run, table, ctypes.byref(rows), ctypes.byref(columns))
    shape = (rows.value, columns.value)
    return np.ctypeslib.as_array(numbers, shape).copy() if rows.value * columns.value else np.empty(shape)
