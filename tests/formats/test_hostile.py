"""Files somebody broke, by accident or on purpose: our own errors or a sound skeleton, and never a long wait."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gestik.errors import FormatError, ModelError
from gestik.formats.load import load
from tests.formats.samples import GRIPPER_URDF, example_character, write
from tests.model.samples import assert_sound

SEED = 1933
MUTANTS = 300
SAMPLES = {"urdf": GRIPPER_URDF, "toml": example_character()}
POISONS = [
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1",
    "0",
    "9" * 5000,
    "",
    "x",
    "true",
    "[]",
    "{}",
    '"',
    "'",
    "\n",
    "<",
    "[",
    "#",
]

Mutation = Callable[[random.Random, str], bytes]


def broken_bytes(rng: random.Random, text: str) -> bytes:
    """Bytes flipped, cut out and doubled."""
    data = bytearray(text.encode())
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        place, length = rng.randrange(len(data)), rng.randrange(60)
        action = rng.randrange(4)
        if action == 0:
            data[place] = rng.randrange(256)
        elif action == 1:
            del data[place : place + length]
        elif action == 2:
            data[place:place] = data[place : place + length]
        else:
            data[place:place] = rng.choice(POISONS).encode()
        data = data or bytearray(b" ")
    return bytes(data)


def cut_short(rng: random.Random, text: str) -> bytes:
    """The beginning of a file, as a full disk leaves it."""
    return text.encode()[: rng.randrange(len(text))]


def swapped_words(rng: random.Random, text: str) -> bytes:
    """Names and numbers in each other's place, and poison among them: the grammar still holds."""
    words = re.findall(r"[\w.#-]+", text)
    for _ in range(rng.choice([1, 1, 2, 4])):
        target = rng.choice(words)
        places = [match.span() for match in re.finditer(rf"(?<![\w.#-]){re.escape(target)}(?![\w.#-])", text)]
        if places:
            begin, end = rng.choice(places)
            text = text[:begin] + rng.choice([rng.choice(words), rng.choice(POISONS[:11])]) + text[end:]
    return text.encode()


def lost_and_doubled_lines(rng: random.Random, text: str) -> bytes:
    """Lines missing, twice, or in another place, as a bad merge leaves them."""
    lines = text.splitlines(keepends=True)
    for _ in range(rng.choice([1, 2, 3])):
        line = lines.pop(rng.randrange(len(lines)))
        for _ in range(rng.choice([0, 1, 2])):
            lines.insert(rng.randrange(len(lines) + 1), line)
    return "".join(lines).encode()


@pytest.mark.parametrize("mutation", [broken_bytes, cut_short, swapped_words, lost_and_doubled_lines])
@pytest.mark.parametrize("ending", SAMPLES)
def test_broken_files_raise_our_errors_or_load_a_sound_skeleton(
    tmp_path: Path, ending: str, mutation: Mutation
) -> None:
    """Hundreds of mutants of a good file: nothing but FormatError, ModelError or a skeleton that keeps its promises."""
    rng = random.Random(SEED)
    refused = 0
    for _ in range(MUTANTS):
        path = write(tmp_path, f"mutant.{ending}", mutation(rng, SAMPLES[ending]))
        try:
            skeleton = load(path)
        except (FormatError, ModelError):
            refused += 1
        else:
            assert_sound(skeleton)
    assert refused > MUTANTS / 10, "the mutants are too tame to prove anything"


HEADER = '[character]\nname = "a"\nangles = "degrees"\n'

HOSTILE_TOML: dict[str, bytes] = {
    "empty": b"",
    "text": b"Dear reader,",
    "no header": b"[joint.a]\nkind = 'fixed'\n",
    "header that is a number": b"character = 5",
    "truncated": b'[character]\nname = "a',
    "not UTF-8": b'[character]\nname = "\xff"\n',
    "a zero byte": b'[character]\nname = "\x00"\n',
    "a table twice": b"[character]\n[character]\n",
    "a key twice": b"[character]\nname = 'a'\nname = 'b'\n",
    "an impossible date": b"a = 2024-13-45\n",
    "an endless integer": b"a = " + b"1" * 500_000,
    "an endless number in base 16": HEADER.encode() + b"rate = 0x" + b"f" * 500_000,
    "deep arrays": b"a = " + b"[" * 100_000,
    "deep tables": b"a = " + b"{a = " * 100_000,
    "an endless dotted key": b"a." * 300_000 + b"a = 1",
    "endless dotted headers": b"".join(b"[" + b"a." * 30 + b"b%d]\n" % n for n in range(10_000)),
    "too large": b"#" * 1_000_001,
    "a huge rate": HEADER.encode() + b"rate = 1" + b"0" * 400,
    "a huge position": HEADER.encode() + b"[frame.a]\nposition = [1" + b"0" * 400 + b", 0, 0]\n",
    "a million parents that are not there": HEADER.encode()
    + b"".join(b"[joint.j%d]\nkind = 'fixed'\nparent = 'k%d'\n" % (n, n) for n in range(20_000)),
    "a million wrong keys": HEADER.encode() + b"".join(b"kez%d = 1\n" % n for n in range(60_000)),
    "a long circle": HEADER.encode()
    + b"".join(b"[joint.j%d]\nkind = 'fixed'\nparent = 'j%d'\n" % (n, (n + 1) % 15_000) for n in range(15_000)),
    "a million wrong postures": HEADER.encode() + b"".join(b"[posture.p%d]\na%d = 1\n" % (n, n) for n in range(30_000)),
}


@pytest.mark.parametrize("name", HOSTILE_TOML)
def test_hostile_toml_is_refused_by_name_and_quickly(tmp_path: Path, name: str) -> None:
    """Each attack raises FormatError or ModelError that names the file, within seconds."""
    path = write(tmp_path, "lamp.toml", HOSTILE_TOML[name])
    began = time.perf_counter()
    with pytest.raises((FormatError, ModelError), match=r"lamp\.toml"):
        load(path)
    assert time.perf_counter() - began < 10.0


def many_joints(count: int, template: str) -> bytes:
    """A URDF of a chain of joints."""
    links = "".join(f'<link name="l{n}"/>' for n in range(count + 1))
    return f'<robot name="r">{links}{"".join(template.format(n=n, next=n + 1) for n in range(count))}</robot>'.encode()


HOSTILE_URDF: dict[str, bytes] = {
    "a long circle": many_joints(
        20_000, '<joint name="j{n}" type="fixed"><parent link="l{next}"/><child link="l{n}"/></joint>'
    ).replace(b'<parent link="l20000"/>', b'<parent link="l0"/>'),
    "many unknown links": many_joints(
        20_000, '<joint name="j{n}" type="fixed"><parent link="k{n}"/><child link="m{n}"/></joint>'
    ),
    "many joints with one child": many_joints(
        20_000, '<joint name="j{n}" type="fixed"><parent link="l0"/><child link="l1"/></joint>'
    ),
    "many mimics in a circle": many_joints(
        20_000,
        '<joint name="j{n}" type="continuous"><parent link="l{n}"/><child link="l{next}"/><mimic joint="j{n}"/>'
        "</joint>",
    ),
    "one endless name": f'<robot><link name="{"a" * 10_000_000}"/></robot>'.encode(),
    "one endless number": b'<robot><link name="a"/><joint name="j"><origin xyz="'
    + b"1" * 5_000_000
    + b' 0 0"/></joint></robot>',
}


@pytest.mark.parametrize("name", HOSTILE_URDF)
def test_hostile_urdf_is_refused_by_name_and_quickly(tmp_path: Path, name: str) -> None:
    """Well-formed robots built to waste time or memory are refused within seconds, in messages of sane length."""
    path = write(tmp_path, "robot.urdf", HOSTILE_URDF[name])
    began = time.perf_counter()
    with pytest.raises(ModelError, match=r"robot\.urdf") as caught:
        load(path)
    assert max(map(len, caught.value.faults)) < 2000
    assert time.perf_counter() - began < 10.0


def test_a_long_honest_chain_is_read_in_reasonable_time(tmp_path: Path) -> None:
    """Ten thousand joints are no attack: they load, in time that grows with their number only."""
    chain = '<joint name="j{n}" type="fixed"><parent link="l{n}"/><child link="l{next}"/></joint>'
    began = time.perf_counter()
    skeleton = load(write(tmp_path, "chain.urdf", many_joints(10_000, chain)))
    assert time.perf_counter() - began < 10.0
    assert len(skeleton.chain("l10000")) == 10_000
