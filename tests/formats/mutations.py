"""Ways a file breaks, by accident or on purpose: each takes a good file and returns a broken one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

POISONED_NUMBERS = (b"nan", b"inf", b"-inf", b"1e309", b"-1", b"0", b"1e-320", b"9" * 5000)
POISONS = (*POISONED_NUMBERS, b"", b"x", b"true", b"[]", b"{}", b'"', b"'", b"\n", b"<", b"[", b"#", b"\0", b"\xff")

WORD = re.compile(rb"[\w.#-]+")
NUMBER = re.compile(rb"(?<![\w.#])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")

Mutation = Callable[[random.Random, bytes], bytes]


def broken_bytes(rng: random.Random, content: bytes) -> bytes:
    """Bytes flipped, cut out, doubled and put in."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        place, length = rng.randrange(len(data)), rng.randrange(60)
        match rng.randrange(4):
            case 0:
                data[place] = rng.randrange(256)
            case 1:
                del data[place : place + length]
            case 2:
                data[place:place] = data[place : place + length]
            case _:
                data[place:place] = rng.choice(POISONS)
        data = data or bytearray(b" ")
    return bytes(data)


def cut_short(rng: random.Random, content: bytes) -> bytes:
    """The beginning of a file, as a full disk leaves it."""
    return content[: rng.randrange(len(content))]


def swapped_words(rng: random.Random, content: bytes) -> bytes:
    """Names and numbers in each other's place, and poison among them: the grammar still holds."""
    return _replaced(rng, content, WORD, (*WORD.findall(content), *POISONS[:11]))


def poisoned_numbers(rng: random.Random, content: bytes) -> bytes:
    """Numbers that are none, without end, too large, negative or zero."""
    return _replaced(rng, content, NUMBER, POISONED_NUMBERS)


def lost_and_doubled_lines(rng: random.Random, content: bytes) -> bytes:
    """Lines missing, twice, or in another place, as a bad merge leaves them."""
    lines = content.splitlines(keepends=True)
    for _ in range(rng.choice([1, 2, 3])):
        line = lines.pop(rng.randrange(len(lines))) if lines else b""
        for _ in range(rng.choice([0, 1, 2])):
            lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


def spliced(rng: random.Random, content: bytes) -> bytes:
    """Its beginning, then some other part of it."""
    cut, other = rng.randrange(len(content)), rng.randrange(len(content))
    return content[:cut] + content[other:]


MUTATIONS: tuple[Mutation, ...] = (
    broken_bytes,
    cut_short,
    swapped_words,
    poisoned_numbers,
    lost_and_doubled_lines,
    spliced,
)


def mutant(content: bytes, seed: int) -> bytes:
    """A broken file: the same one for the same seed, each way of breaking in its turn."""
    return MUTATIONS[seed % len(MUTATIONS)](random.Random(seed), content)


def _replaced(rng: random.Random, content: bytes, pattern: re.Pattern[bytes], others: tuple[bytes, ...]) -> bytes:
    """Some of what a pattern finds, replaced."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        places = [match.span() for match in pattern.finditer(content)]
        if places:
            begin, end = rng.choice(places)
            content = content[:begin] + rng.choice(others) + content[end:]
    return content
