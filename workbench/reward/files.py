"""Specifications in YAML files: the user's, and those that come with the workbench."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from workbench.reward.core.errors import SpecError
from workbench.reward.core.spec import parse_spec, spec_to_json
from workbench.schema.reward import RewardSpec

LIBRARY = Path(__file__).parent / "library"


class _StrictLoader(yaml.SafeLoader):
    """Safe YAML that refuses a key given twice: the reader would keep one of them and say nothing."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.MarkedYAMLError(problem=f"key {key!r} stands twice", problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)


def read_spec_text(text: str, *, source: str) -> RewardSpec:
    """A specification from YAML (or JSON, which is YAML). Raises SpecError, naming `source`."""
    try:
        raw = yaml.load(text, Loader=_StrictLoader)  # a subclass of SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise SpecError(source, [f"found text that is no YAML ({' '.join(str(error).split())})"]) from None
    return parse_spec(raw, source=source)


def read_spec_file(path: Path) -> RewardSpec:
    """A specification from a file. Raises SpecError where it cannot be read or taken."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(str(path), [f"cannot be read as text: {error}"]) from None
    return read_spec_text(text, source=str(path))


def spec_text(spec: RewardSpec) -> str:
    """The canonical form as YAML, in the order of the documentation."""
    text: str = yaml.safe_dump(spec_to_json(spec), sort_keys=False, allow_unicode=True, width=110)
    return text


def library_specs() -> dict[str, Path]:
    """The specifications that come with the workbench, by name."""
    return {path.stem: path for path in sorted(LIBRARY.glob("*.yaml"))}
