"""Limits that no linter has: what a file may be called, and how large things may grow."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import grimp

from tests.unit.architecture.seeded import ROOT

VALUE_MODULES = {
    "collections",
    "dataclasses",
    "datetime",
    "enum",
    "math",
    "re",
    "typing",
    "unicodedata",
    "uuid",
}
EMPTY_WORD = re.compile(r"\b(util|utils|common|helper|helpers|base|manager|service|misc)\b")


def test_the_domain_imports_only_value_modules() -> None:
    graph = grimp.build_graph("domain", include_external_packages=True, cache_dir=None)

    outside = {module for module in graph.modules if graph.is_module_squashed(module)}

    assert outside <= VALUE_MODULES


def test_no_module_has_an_empty_name() -> None:
    assert [path for path in modules() if EMPTY_WORD.search(path.stem.replace("_", " "))] == []


def test_no_file_is_over_300_lines() -> None:
    assert [path for path in modules() if len(path.read_text(encoding="utf-8").splitlines()) > 300] == []


def test_no_function_is_over_50_lines() -> None:
    # A migration makes its tables in order: a list of columns is long without being hard.
    long = [
        f"{path}: {node.name}"
        for path in modules()
        if "migrations" not in path.parts
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) > 50
    ]

    assert long == []


def test_no_port_has_more_than_5_methods() -> None:
    wide = [
        f"{path}: {node.name}"
        for path in (ROOT / "src/application/ports").glob("*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and method_count(node) > 5
    ]

    assert wide == []


def modules() -> Iterator[Path]:
    return (path.relative_to(ROOT) for path in (ROOT / "src").rglob("*.py"))


def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def method_count(node: ast.ClassDef) -> int:
    return sum(isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) for child in node.body)
