"""glTF: nodes, scales and all samplings as another reader has them; what breaks the rules is refused by name."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, FormatWarning
from gestik.formats.load import load, load_clips
from gestik.model.joints import JointKind
from tests.formats.gltf_samples import Json, figure, glb
from tests.formats.samples import write
from tests.formats.shared_data import shared_file
from tests.reference.gltf_twin import GltfTwin

EXACT = 1e-12  # of the figure's size

# What each node of the figure is called here, by its number.
FIGURE = {1: "hip", 2: "spine", 3: "arm", 4: "arm.2", 5: "node5", 7: "hand_end"}


def test_nodes_of_skins_and_animations_are_joints_and_plain_ones_frames(tmp_path: Path) -> None:
    """A node that is moved is free, one that only turns a ball, one that only carries is fixed; y is up."""
    skeleton = load(write(tmp_path, "figure.glb", glb(*figure())))
    kinds = dict(zip(skeleton.joint_names, skeleton.joint_kinds, strict=True))
    assert kinds == {
        "root": JointKind.FIXED,
        "hip": JointKind.FREE,
        "spine": JointKind.BALL,
        "arm": JointKind.BALL,
        "node5": JointKind.FREE,
        "arm.2": JointKind.BALL,
    }
    assert set(skeleton.frame_names) == {*kinds, "hand_end"}
    assert skeleton.up.tolist() == [0, 1, 0]


def test_every_sampling_is_what_another_reader_makes_of_it(tmp_path: Path) -> None:
    """Linear, step and cubic, in floats and in whole numbers, at each moment of the clip and between keys."""
    path = write(tmp_path, "figure.glb", glb(*figure()))
    (clip,) = load_clips(path).values()
    assert clip.name == "wave"
    assert (clip.start, clip.end) == (0.0, 1.0)
    twin = GltfTwin(path, rounded_scales=False)
    for time, angles in zip(clip.times, clip.angles, strict=True):
        pose, expected = clip.skeleton.forward(angles), twin.places(0, time)
        for node, name in FIGURE.items():
            np.testing.assert_allclose(pose.of(name).position, expected[node], atol=1e-10, err_msg=f"{name} at {time}")
    for time in np.linspace(0.0, 1.0, 50):
        if np.abs(time - clip.times).min() > 1e-3 and not 0.24 < time < 0.2501:
            hip = clip.skeleton.forward(clip.at(time)).of("hip").position
            np.testing.assert_allclose(hip, twin.places(0, time)[1], atol=1e-10)


def test_a_rigged_robot_at_every_frame_of_every_clip() -> None:
    """RobotExpressive: 43 joints and the three that carry them, 14 clips; to 1e-12 of its size.

    Its exporter wrote scales that differ by axis in the fifth digit; with them kept, places differ by 1e-5 of its size.
    """
    path = shared_file("RobotExpressive.glb")
    skeleton, clips = load(path), load_clips(path)
    assert len(clips) == 14
    twin, raw = GltfTwin(path, rounded_scales=True), GltfTwin(path, rounded_scales=False)
    nodes = {n: node["name"] for n, node in enumerate(twin.nodes) if "mesh" not in node}
    size = max(map(np.linalg.norm, twin.places(None, 0.0).values()))
    for number, item in enumerate(twin.tree["animations"]):
        clip = clips[item["name"]]
        for time, angles in zip(clip.times, clip.angles, strict=True):
            pose, expected = skeleton.forward(angles), twin.places(number, time)
            own = np.array([pose.of(name).position for name in nodes.values()])
            np.testing.assert_allclose(own, [expected[node] for node in nodes], rtol=0, atol=EXACT * size)
        last = raw.places(number, clip.end)
        own = np.array([skeleton.forward(clip.angles[-1]).of(name).position for name in nodes.values()])
        np.testing.assert_allclose(own, [last[node] for node in nodes], rtol=0, atol=1e-5 * size)


def test_scale_is_for_everything(tmp_path: Path) -> None:
    """Skeleton and clips in another size."""
    path = write(tmp_path, "figure.glb", glb(*figure()))
    plain, small = load_clips(path)["wave"], load_clips(path, scale=0.01)["wave"]
    at_rest = load(path, scale=0.01)
    np.testing.assert_allclose(at_rest.segments, small.skeleton.segments)
    for own, other in zip(plain.angles, small.angles, strict=True):
        large, little = plain.skeleton.forward(own), small.skeleton.forward(other)
        np.testing.assert_allclose(little.positions, 0.01 * large.positions, atol=1e-12)


def test_the_same_figure_in_one_file_in_two_and_written_out(tmp_path: Path) -> None:
    """A .gltf beside its data or with the data in it is the same as a .glb; names with blanks are found."""
    tree, binary = figure()
    expected = load_clips(write(tmp_path, "a.glb", glb(tree, binary)))["wave"].angles
    write(tmp_path, "my data.bin", binary)
    tree["buffers"][0]["uri"] = "my%20data.bin"
    beside = write(tmp_path, "b.gltf", json.dumps(tree))
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    inside = write(tmp_path, "c.gltf", json.dumps(tree))
    for path in (beside, inside):
        np.testing.assert_array_equal(load_clips(path)["wave"].angles, expected)


def test_sparse_and_strided_arrays(tmp_path: Path) -> None:
    """Entries replaced one by one, and entries with gaps between them."""
    tree, binary = figure()
    accessor = tree["accessors"][tree["animations"][0]["samplers"][0]["output"]]
    expected = load_clips(write(tmp_path, "a.glb", glb(tree, binary)))["wave"]
    view = tree["bufferViews"][accessor["bufferView"]]
    begin = view["byteOffset"]
    rows = [binary[begin + 12 * row : begin + 12 * row + 12] for row in range(3)]
    gaps = b"".join(row + b"gap!" for row in rows)
    tree["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": 48, "byteStride": 16})
    accessor["bufferView"] = len(tree["bufferViews"]) - 1
    strided = glb(tree | {"buffers": [{"byteLength": len(binary) + 48}]}, binary + gaps)
    np.testing.assert_array_equal(load_clips(write(tmp_path, "b.glb", strided))["wave"].angles, expected.angles)
    del accessor["bufferView"]
    tree["bufferViews"][-1] = {"buffer": 0, "byteOffset": len(binary), "byteLength": 3}
    tree["bufferViews"].append({"buffer": 0, "byteOffset": len(binary) + 4, "byteLength": 36})
    last = len(tree["bufferViews"]) - 1
    accessor["sparse"] = {
        "count": 3,
        "indices": {"bufferView": last - 1, "componentType": 5121},
        "values": {"bufferView": last},
    }
    sparse = glb(tree | {"buffers": [{"byteLength": len(binary) + 40}]}, binary + b"\x02\x00\x01\0" + b"".join(rows))
    hips = load_clips(write(tmp_path, "c.glb", sparse))["wave"]
    order = [1, 2, 0]
    at_keys = expected.at([0.0, 0.25, 1.0])[:, :3]
    np.testing.assert_allclose(hips.at([0.0, 0.25, 1.0])[:, :3], at_keys[order], atol=1e-15)


def test_a_tree_without_skin_or_motion_turns_everywhere(tmp_path: Path) -> None:
    """Every plain node is a ball."""
    tree: Json = {"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {"translation": [0, 1, 0]}, {"camera": 0}]}
    skeleton = load(write(tmp_path, "tree.gltf", json.dumps(tree)))
    assert skeleton.joint_names == ("node0", "node1")
    assert set(skeleton.joint_kinds) == {JointKind.BALL}
    assert load_clips(tmp_path / "tree.gltf") == {}


def test_sizes_that_change_are_left_out_and_said(tmp_path: Path) -> None:
    """A skeleton's bones keep their lengths."""
    tree, binary = figure()
    tree["animations"][0]["channels"][0]["target"]["path"] = "scale"
    with pytest.warns(FormatWarning, match="animation 'wave' changes sizes, which is left out"):
        load_clips(write(tmp_path, "figure.glb", glb(tree, binary)))


def test_scales_that_differ_by_axis_are_kept_as_well_as_can_be_and_said(tmp_path: Path) -> None:
    """Right for what sits on the node itself; below a turned one lengths are near."""
    tree, binary = figure()
    tree["nodes"][0]["scale"] = [100, 50, 100]
    with pytest.warns(FormatWarning, match="'root' is scaled by axis|'.*' is scaled by axis"):
        skeleton = load(write(tmp_path, "figure.glb", glb(tree, binary)))
    twin = GltfTwin(tmp_path / "figure.glb", rounded_scales=False).places(None, 0.0)
    pose = skeleton.forward(skeleton.rest)
    np.testing.assert_allclose(pose.of("spine").position, twin[2], atol=1e-10)


def put(*keys: str | int, value: object) -> Callable[[Json], None]:
    """A change of one entry somewhere in the tree."""

    def change(tree: Json) -> None:
        *way, last = keys
        place = tree
        for key in way:
            place = place[key]
        place[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put("asset", value={"version": "1.0"}), "no glTF of version 2"),
        (put("nodes", value=[]), "has no nodes"),
        (put("nodes", value=5), "nodes is no list of objects"),
        (put("nodes", value=[5]), "nodes is no list of obj"),
        (put("nodes", 5, "children", value=[0]), "sit on each other in a circle"),
        (put("nodes", 5, "children", value=[2]), "node 2 is a child of two nodes"),
        (put("nodes", 5, "children", value=[99]), "children is 99, not one of the 8"),
        (put("nodes", 5, "children", value=[-1]), "children is -1, not one of the 8"),
        (put("nodes", 5, "children", value=[True]), "children is True"),
        (put("nodes", 5, "children", value="all"), "children are no list"),
        (put("nodes", 1, "rotation", value=[0, 0, 0, 0]), "quaternion of length 0"),
        (put("nodes", 1, "rotation", value=[0, 0, 1]), "is .*, not 4 numbers"),
        (put("nodes", 1, "translation", value=[0, 1e30, 1]), "is 1e.30, beyond"),
        (put("nodes", 1, "scale", value=[1, 1, -1]), "mirrors what the node carries"),
        (put("nodes", 7, "matrix", value=[0] * 16), "flattens what the node carries"),
        (put("nodes", 7, "matrix", value=[1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "mirrors or leans"),
        (put("skins", 0, "joints", value=[8]), "skin 0: joints is 8, not one of the 8"),
        (put("skins", 0, "joints", value=None), "no list of joints"),
        (put("accessors", 0, "byteOffset", value=-4), "byteOffset is -4, not a whole number"),
        (put("accessors", 0, "byteOffset", value=400), "reaches beyond the 12 bytes"),
        (put("accessors", 0, "count", value=10**9), "count is 1000000000, not a whole number|has 1000000000 entries"),
        (put("accessors", 0, "count", value=6_000_000), "has 6000000 entries, more than an animation may"),
        (put("accessors", 0, "count", value=2.5), "count is 2.5"),
        (put("accessors", 0, "type", value="VEC3"), "is of type 'VEC3', not SCALAR"),
        (put("accessors", 0, "componentType", value=5124), "componentType is 5124, not one of"),
        (put("accessors", 0, "bufferView", value=99), "bufferView is 99"),
        (put("accessors", 0, "sparse", value=5), "sparse is 5"),
        (put("accessors", 0, "sparse", value={"count": 1}), "no indices and values"),
        (put("bufferViews", 0, "byteOffset", value=-1), "byteOffset is -1"),
        (put("bufferViews", 0, "byteLength", value=10**8), "ends at byte 100000000"),
        (put("bufferViews", 0, "byteStride", value=2), "steps by 2 bytes, less than the 4"),
        (put("bufferViews", 0, "extensions", value={"EXT_meshopt_compression": {}}), "unpack it first"),
        (put("buffers", 0, "byteLength", value=10**7), "buffer 0 has .* bytes of 10000000"),
        (put("buffers", 0, "uri", value="../secret.bin"), "not a file in the folder of this one"),
        (put("buffers", 0, "uri", value="missing.bin"), "there is no file"),
        (put("buffers", 0, "uri", value="data:;base64,???"), "buffer 0: data"),
        (put("buffers", 0, "uri", value="data:text/plain,hello"), "not in base64"),
        (put("animations", 0, "channels", value=5), "channels is no list"),
        (put("animations", 0, "channels", 0, "sampler", value=99), "sampler is 99"),
        (put("animations", 0, "channels", 0, "target", value=None), "has no target"),
        (put("animations", 0, "channels", 0, "target", "node", value=99), "node is 99"),
        (put("animations", 0, "samplers", 0, "interpolation", value="WILD"), "'WILD', not STEP"),
        (put("animations", 0, "samplers", 0, "interpolation", value="CUBICSPLINE"), "3 values for 3 times, not 3 each"),
        (put("animations", 0, "samplers", 0, "input", value=1), "3 values for 2 times, not 1 each"),
        (put("animations", 0, "samplers", 0, "output", value=None), "output is None"),
        (put("animations", 0, "name", value="bad\nname"), "name of an animation"),
    ],
)
def test_what_breaks_the_rules_is_refused_by_name(tmp_path: Path, change: Callable[[Json], None], reason: str) -> None:
    """FormatError names the file, the part and what would be right."""
    tree, binary = figure()
    change(tree)
    with pytest.raises(FormatError, match=rf"(?s)({reason})"):
        load_clips(write(tmp_path, "figure.glb", glb(tree, binary)))


def test_times_that_do_not_rise_and_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """In the binary part, where no parser looks."""
    tree, binary = figure()
    begin = tree["bufferViews"][0]["byteOffset"]
    for bad, reason in ((0.0, "do not rise"), (float("nan"), "holds nan"), (1e30, "holds 1.*e.30")):
        broken = binary[: begin + 4] + struct.pack("<f", bad) + binary[begin + 8 :]
        with pytest.raises(FormatError, match=reason):
            load_clips(write(tmp_path, "figure.glb", glb(tree, broken)))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds no JSON"),
        (b"glTF", "no chunk of JSON"),
        (b"glTF" + b"\xff" * 40, "cut short"),
        (b"[]", "holds no object"),
        (b'{"asset": NaN}', "NaN is no number"),
        (b'{"a":' * 100_000, "too deep|no JSON"),
        (b'{"a":' + b"1" * 100_000 + b"}", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b" " * 17_000_000, "more than 16 MB of JSON"),
    ],
)
def test_what_is_no_gltf_at_all_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    """As skeleton and as clips."""
    path = write(tmp_path, "figure.gltf", content)
    for read in (load, load_clips):
        with pytest.raises(FormatError, match=reason):
            read(path)
