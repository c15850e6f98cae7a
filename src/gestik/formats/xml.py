"""XML from strangers: no entities, no document types, no bombs, no bottomless nesting."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from gestik.errors import FormatError

BYTE_LIMIT = 64_000_000
DEPTH_LIMIT = 200
ELEMENT_LIMIT = 200_000


class _CappedTree(TreeBuilder):
    """Builds the tree while counting, and stops at the first element too many."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str], /) -> Element:
        self._depth += 1
        self._count += 1
        if self._depth > DEPTH_LIMIT:
            raise FormatError(f"nested more than {DEPTH_LIMIT} elements deep")
        if self._count > ELEMENT_LIMIT:
            raise FormatError(f"more than {ELEMENT_LIMIT} elements")
        return super().start(tag, attributes)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def parse(data: bytes, source: str) -> Element:
    """Return the root element, or raise FormatError that names `source`."""
    parser = DefusedXMLParser(target=_CappedTree(), forbid_dtd=True)
    try:
        parser.feed(data)
        root = parser.close()
    except DefusedXmlException as fault:
        raise FormatError(f"{source!r} declares a document type or entities, which are refused: {fault}") from fault
    except (ParseError, LookupError, ValueError) as fault:
        raise FormatError(f"{source!r} cannot be read as XML: {fault}") from fault
    if not isinstance(root, Element):
        raise FormatError(f"{source!r} cannot be read as XML: it holds no element")
    return root
