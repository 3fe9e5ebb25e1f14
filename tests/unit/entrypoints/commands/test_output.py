"""What reaches stdout."""

import pytest

from entrypoints.commands.output import show_document, show_line, show_table


def test_without_a_terminal_no_cell_is_cut_and_nothing_is_coloured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_table(("Id", "Words"), [("1", "x" * 300), ("2", "[bold]y[/bold]")])

    lines = capsys.readouterr().out.splitlines()
    assert lines == ["Id  Words", f"1   {'x' * 300}", "2   [bold]y[/bold]"]


def test_control_characters_and_lines_stay_within_their_cell(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(("A", "B"), [("a\x1b[31m\nb", "\udcff")])

    assert capsys.readouterr().out.splitlines()[1] == "a\ufffd[31m b  \ufffd"


def test_a_document_is_for_people_and_a_line_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    show_document({"a": 1})
    show_line({"a": 1})

    assert capsys.readouterr().out == '{\n  "a": 1\n}\n{"a":1}\n'
