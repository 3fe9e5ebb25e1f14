"""What CONTRIBUTING.md tells is what was done here."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GUIDE = HERE.parents[2] / "CONTRIBUTING.md"
STEP = re.compile(r"^\*\*(\d)\. .*?^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

STEPS = ["kind.py", "payload.py", "handler.py", "registration.py"]


def test_the_kind_took_four_files_and_no_other() -> None:
    made = [path.name for path in (HERE / "thumbnail_audit").iterdir() if path.suffix]

    assert sorted(made) == sorted(STEPS)


def test_the_guide_has_these_four_steps() -> None:
    assert [number for number, _ in STEP.findall(GUIDE.read_text(encoding="utf-8"))] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(("step", "file"), list(enumerate(STEPS)))
def test_each_step_was_done_as_it_is_told(step: int, file: str) -> None:
    _, told = STEP.findall(GUIDE.read_text(encoding="utf-8"))[step]
    done = (HERE / "thumbnail_audit" / file).read_text(encoding="utf-8")

    # An install has one enum of kinds, and that of the guide is not the one of this version.
    assert declarations(told.replace("WorkKind", "GuideKind")) <= declarations(done)
    assert declarations(told) != set()


def declarations(source: str) -> set[str]:
    """What a piece of code declares: classes, functions and fields. Where it leaves something out, nobody compares."""
    return {told for node in ast.walk(ast.parse(source)) if (told := declaration(node)) and "..." not in told}


def declaration(node: ast.AST) -> str:
    match node:
        case ast.ClassDef(name=name, bases=bases):
            return f"class {name}({', '.join(map(ast.unparse, bases))})"
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            kind = type(node).__name__
            return f"{kind} {node.name}({ast.unparse(node.args)}) -> {node.returns and ast.unparse(node.returns)}"
        case ast.Assign() | ast.AnnAssign():
            return ast.unparse(node)
        case _:
            return ""
