"""Files somebody broke, by accident or on purpose: our own errors or a sound skeleton, and never a long wait."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gestik.errors import FormatError, ModelError
from gestik.formats.load import load, load_clips
from tests.formats.mjcf_samples import mjcf
from tests.formats.mutations import mutant
from tests.formats.samples import write
from tests.formats.specimens import SPECIMENS

MUTANTS = 600  # of each specimen


@pytest.mark.parametrize("name", SPECIMENS)
def test_an_unbroken_specimen_is_read(tmp_path: Path, name: str) -> None:
    """What the mutants are made of is good."""
    specimen = SPECIMENS[name]
    specimen.examine(write(tmp_path, f"specimen{specimen.ending}", specimen.content))


@pytest.mark.parametrize("name", SPECIMENS)
def test_broken_files_raise_our_errors_or_are_read_as_something_sound(tmp_path: Path, name: str) -> None:
    """Hundreds of mutants of a good file: FormatError, ModelError or what keeps its promises, and nothing else."""
    specimen = SPECIMENS[name]
    refused = 0
    for seed in range(MUTANTS):
        path = write(tmp_path, f"mutant{specimen.ending}", mutant(specimen.content, seed))
        try:
            specimen.examine(path)
        except (FormatError, ModelError):
            refused += 1
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


HOSTILE_MJCF: dict[str, bytes] = {
    "many joints of one name": mjcf("<body>" + '<joint name="j"/>' * 20_000 + "</body>").encode(),
    "many unknown classes": mjcf(
        "<body>" + "".join(f'<joint class="c{n}"/>' for n in range(20_000)) + "</body>"
    ).encode(),
    "many classes of one name": mjcf("", before="<default>" + '<default class="a"/>' * 20_000 + "</default>").encode(),
    "many equalities of nobody": mjcf(
        "", after="<equality>" + "".join(f'<joint joint1="j{n}"/>' for n in range(20_000)) + "</equality>"
    ).encode(),
    "a long circle of equalities": mjcf(
        "<body>" + "".join(f'<joint name="j{n}"/>' for n in range(15_000)) + "</body>",
        after="<equality>"
        + "".join(f'<joint joint1="j{n}" joint2="j{(n + 1) % 15_000}"/>' for n in range(15_000))
        + "</equality>",
    ).encode(),
    "gains that multiply beyond all bounds": mjcf(
        "<body>" + "".join(f'<joint name="j{n}"/>' for n in range(100)) + "</body>",
        after="<equality>"
        + "".join(f'<joint joint1="j{n}" joint2="j{n + 1}" polycoef="0 1e8"/>' for n in range(99))
        + "</equality>",
    ).encode(),
    "one endless name": mjcf(f'<body name="{"a" * 10_000_000}"/>').encode(),
    "one endless number": mjcf(f'<body pos="{"1" * 5_000_000} 0 0"/>').encode(),
    "endless numbers": mjcf(f'<body pos="{"1 " * 5_000_000}"/>').encode(),
    "endless coefficients": mjcf(
        '<body name="a"><joint/></body>',
        after=f'<equality><joint joint1="a" polycoef="{"1 " * 5_000_000}"/></equality>',
    ).encode(),
    "endless sizes of what is drawn": mjcf(f'<geom size="{"1 " * 5_000_000}"/><joint/>').encode(),
    "deep frames that move apart": mjcf(
        '<frame pos="1e9 0 0">' * 190 + '<body><joint axis="0 0 0"/></body>' + "</frame>" * 190
    ).encode(),
}


@pytest.mark.parametrize("name", HOSTILE_MJCF)
def test_hostile_mjcf_is_refused_by_name_and_quickly(tmp_path: Path, name: str) -> None:
    """Well-formed models built to waste time or memory are refused within seconds, in messages of sane length."""
    path = write(tmp_path, "model.xml", HOSTILE_MJCF[name])
    began = time.perf_counter()
    with pytest.raises(ModelError, match=r"model\.xml") as caught:
        load(path)
    assert max(map(len, caught.value.faults)) < 2000
    assert time.perf_counter() - began < 10.0


def bvh(tree: str, motion: str = "Frames: 1\nFrame Time: 1\n") -> bytes:
    """A BVH file."""
    return f"HIERARCHY\n{tree}\nMOTION\n{motion}".encode()


ONE_TURN = "ROOT a {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}"

HOSTILE_BVH: dict[str, bytes] = {
    "empty": b"",
    "many joints": bvh("ROOT a {\nOFFSET 0 0 0\n" + "JOINT b {\nOFFSET 0 1 0\n" * 100_000 + "}" * 100_001),
    "many roots of one name": bvh(
        "ROOT a {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n" * 4000, "Frames: 1\nFrame Time: 1\n"
    ),
    "braces without end": bvh(ONE_TURN + "{" * 1_000_000),
    "one endless name": bvh("ROOT " + "a" * 10_000_000 + " {\n}"),
    "one endless line of channels": bvh("ROOT a {\nCHANNELS 3 " + "Xrotation " * 1_000_000 + "\n}"),
    "an endless count of channels": bvh("ROOT a {\nCHANNELS " + "9" * 100_000 + " Xrotation\n}"),
    "a thousand million frames": bvh(ONE_TURN, "Frames: 1000000000\nFrame Time: 1\n1\n"),
    "an endless frame time": bvh(ONE_TURN, "Frames: 1\nFrame Time: " + "1" * 1_000_000 + "\n1\n"),
    "one endless number": bvh(ONE_TURN, "Frames: 1\nFrame Time: 1\n" + "1" * 5_000_000),
    "binary": bytes(range(256)) * 1000,
}


@pytest.mark.parametrize("name", HOSTILE_BVH)
def test_hostile_bvh_is_refused_by_name_and_quickly(tmp_path: Path, name: str) -> None:
    """Each attack raises FormatError or ModelError that names the file, within seconds, in a message of sane length."""
    path = write(tmp_path, "dance.bvh", HOSTILE_BVH[name])
    began = time.perf_counter()
    with pytest.raises((FormatError, ModelError), match=r"dance\.bvh") as caught:
        load_clips(path)
    assert len(str(caught.value)) < 2000
    assert time.perf_counter() - began < 10.0


@pytest.mark.parametrize(
    "text",
    [
        mjcf("<body>" + "<joint/>" * 20_000 + "</body>"),
        mjcf("<body/>" * 50_000),
        mjcf("<body><joint/>" * 190 + "</body>" * 190),
        mjcf("", before="".join(f'<default class="c{n}">' for n in range(190)) + "<joint/>" + "</default>" * 190),
    ],
    ids=["one body of many joints", "many bodies", "a deep body", "deep classes"],
)
def test_a_large_honest_model_is_read_in_reasonable_time(tmp_path: Path, text: str) -> None:
    """What is only large or deep is no attack."""
    began = time.perf_counter()
    load(write(tmp_path, "model.xml", text))
    assert time.perf_counter() - began < 10.0


def test_a_long_honest_chain_is_read_in_reasonable_time(tmp_path: Path) -> None:
    """Ten thousand joints are no attack: they load, in time that grows with their number only."""
    chain = '<joint name="j{n}" type="fixed"><parent link="l{n}"/><child link="l{next}"/></joint>'
    began = time.perf_counter()
    skeleton = load(write(tmp_path, "chain.urdf", many_joints(10_000, chain)))
    assert time.perf_counter() - began < 10.0
    assert len(skeleton.chain("l10000")) == 10_000
