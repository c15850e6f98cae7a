"""XML from strangers: bombs, references and bottomless nesting end in FormatError, and quickly."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gestik.errors import FormatError
from gestik.formats import xml
from gestik.formats.load import load
from tests.formats.samples import write

LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))

HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "spaces": b"   \n",
    "text": b"joint",
    "truncated": b"<robot><link name='a'",
    "not closed": b"<robot><link name='a'>",
    "closed twice": b"<robot></robot></robot>",
    "a billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><robot name="&l9;"/>'.encode(),
    "an external entity": b'<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><robot name="a">&f;</robot>',
    "an external document type": b'<!DOCTYPE r SYSTEM "http://example.org/r.dtd"><robot/>',
    "a parameter entity": b'<!DOCTYPE r [<!ENTITY % f SYSTEM "file:///etc/passwd"> %f;]><robot/>',
    "an undefined entity": b"<robot>&nothing;</robot>",
    "a zero byte": b"<robot name='\x00'/>",
    "not UTF-8": b"<robot name='\xff\xfe\xfa'/>",
    "an unknown encoding": b"<?xml version='1.0' encoding='klingon'?><robot/>",
    "a wrong encoding": b"<?xml version='1.0' encoding='utf-16'?><robot/>",
    "a wide encoding": b"<?xml version='1.0' encoding='utf-7'?><robot/>",
    "an unbound prefix": b"<robot><a:b/></robot>",
    "an attribute twice": b"<robot name='a' name='b'/>",
    "deep nesting": b"<a>" * 100_000,
    "too many elements": b"<robot>" + b"<l/>" * 300_000 + b"</robot>",
    "endless attributes": b"<robot " + b" ".join(b"a%d='1'" % n for n in range(200_000)),
    "one endless name": b"<" + b"r" * 5_000_000,
    "random bytes": bytes(range(256)) * 50,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_xml_is_refused_by_name_and_quickly(tmp_path: Path, name: str) -> None:
    """Each attack raises FormatError that names the file, within seconds, as XML and as a robot."""
    path = write(tmp_path, "robot.urdf", HOSTILE[name])
    began = time.perf_counter()
    with pytest.raises(FormatError, match=r"robot\.urdf"):
        load(path)
    assert time.perf_counter() - began < 10.0


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    """The size is capped before anything is parsed; the file is sparse and takes no space."""
    path = tmp_path / "huge.urdf"
    with path.open("wb") as file:
        file.truncate(xml.BYTE_LIMIT + 1)
    with pytest.raises(FormatError, match="larger than 64 MB"):
        load(path)


def test_nesting_up_to_the_limit_is_read() -> None:
    """The caps refuse what is beyond them and nothing before."""
    deep = b"<a>" * xml.DEPTH_LIMIT + b"</a>" * xml.DEPTH_LIMIT
    assert len(list(xml.parse(deep, "deep").iter())) == xml.DEPTH_LIMIT
    with pytest.raises(FormatError, match="nested more than 200 elements deep"):
        xml.parse(b"<a>" + deep + b"</a>", "deeper")
    wide = b"<a>" + b"<b/>" * (xml.ELEMENT_LIMIT - 1) + b"</a>"
    assert len(xml.parse(wide, "wide")) == xml.ELEMENT_LIMIT - 1
    with pytest.raises(FormatError, match="more than 200000 elements"):
        xml.parse(wide.replace(b"</a>", b"<b/></a>"), "wider")


def test_every_encoding_that_is_declared_right_is_read() -> None:
    """UTF-16 with its mark and Latin-1 with its name are as good as UTF-8."""
    for encoding in ("utf-8", "utf-16", "iso-8859-1"):
        text = f"<?xml version='1.0' encoding='{encoding}'?><robot name='Mädchen'/>"
        assert xml.parse(text.encode(encoding), encoding).get("name") == "Mädchen"
