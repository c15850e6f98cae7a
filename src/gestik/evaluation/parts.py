"""Results on disk: one Parquet file per task, complete or absent."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gestik.errors import FormatError, MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "part-{:07d}.parquet"
DRAFT = ".draft-{}"


class Results(NamedTuple):
    """What came out, sample by sample, in the types it is kept in."""

    number: NDArray[Any]  # uint32, in the grid
    orientation: NDArray[Any]  # float32, the paper's measure, [0, 1]
    posture: NDArray[Any]  # float32, the paper's measure, [0, 1]
    shape: NDArray[Any]  # float32, degrees
    iterations: NDArray[Any]  # uint16
    ending: NDArray[Any]  # uint8, a code of solvers/report.py
    limit_excess: NDArray[Any]  # float32, rad beyond a limit; 0 where all are kept


COLUMN_TYPES = ("uint32", "float32", "float32", "float32", "uint16", "uint8", "float32")


def compact(*columns: NDArray[Any]) -> Results:
    """Results in the types they are kept in."""
    return Results(*(column.astype(kind) for column, kind in zip(columns, COLUMN_TYPES, strict=True)))


def need_arrow() -> None:
    """Say what to install where pyarrow is missing."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as missing:
        raise MissingExtraError('a sweep keeps Parquet files: pip install "gestik[sweep]"') from missing


def part_file(folder: Path, task: int) -> Path:
    """Where a task's results are."""
    return folder / NAME.format(task)


def write_part(folder: Path, task: int, results: Results) -> None:
    """Keep a task's results: the file appears at once and whole, or not at all, whoever else writes it too."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: np.asarray(column) for name, column in results._asdict().items()}
    draft = folder / DRAFT.format(uuid.uuid4().hex)
    try:
        pq.write_table(pa.table(columns), draft, compression="zstd")
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(part_file(folder, task))
    finally:
        draft.unlink(missing_ok=True)


def finished_tasks(folder: Path, count: int) -> set[int]:
    """Tasks whose results are there."""
    names = {path.name for path in folder.glob(NAME.replace("{:07d}", "*"))}
    return {task for task in range(count) if NAME.format(task) in names}


def remove_drafts(folder: Path) -> None:
    """Remove what killed tasks left half written."""
    for path in folder.glob(DRAFT.format("*")):
        path.unlink(missing_ok=True)


def read_parts(folder: Path, count: int) -> Iterator[Results]:
    """The results of all finished tasks, in their order."""
    need_arrow()
    for task in sorted(finished_tasks(folder, count)):
        yield read_part(part_file(folder, task))


def read_part(file: Path) -> Results:
    """One task's results."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table: pa.Table = pq.read_table(file, columns=list(Results._fields))
    except (pa.ArrowException, OSError) as fault:
        raise FormatError(f"{file} is no part of a sweep: {fault}") from fault
    return Results(*(table[name].to_numpy() for name in Results._fields))
