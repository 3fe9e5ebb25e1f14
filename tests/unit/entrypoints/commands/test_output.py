"""What reaches stdout."""

import pytest
from rich.text import Text

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


def on_terminal(monkeypatch: pytest.MonkeyPatch, *, columns: int) -> None:
    """From now on there is a terminal of this width."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))


def test_a_narrow_terminal_wraps_one_column_and_leaves_the_last_ones_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_terminal(monkeypatch, columns=24)

    show_table(("Id", "Words", "More"), [("0192f3c8-6d1e", "one two three", "x")], wraps="Words", only_wide=1)

    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()[1:]]
    assert lines == ["0192f3c8-6d1e  one two", "               three"]


def test_a_wide_terminal_shows_everything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_terminal(monkeypatch, columns=120)

    show_table(("Id", "Words", "More"), [("1", "one two three", "x")], wraps="Words", only_wide=1)

    assert capsys.readouterr().out.splitlines()[1].split() == ["1", "one", "two", "three", "x"]


def test_colours_are_left_out_where_nobody_wants_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_terminal(monkeypatch, columns=80)
    monkeypatch.setenv("NO_COLOR", "1")

    show_table(("Id",), [(Text("1", "red"),)])

    assert "31m" not in capsys.readouterr().out
