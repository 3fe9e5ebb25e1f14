import pytest

from domain.credentials import email_problem, name_problem, password_problem


@pytest.mark.parametrize("name", ["Ada", "ada@photos.example", "Åsa Ø", "n" * 100])
def test_a_name_may_be_any_line_of_text(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\r\nSet-Cookie: x", "a\x1b[31m", "\u202eadA", "n" * 101])
def test_a_name_that_could_be_taken_for_something_else_is_none(name: str) -> None:
    assert name_problem(name) == "The name must be 1 to 100 printable characters long."


@pytest.mark.parametrize("email", ["ada", "a b@c", "a@b\n", "@", "a@b@c", "a" * 255 + "@b"])
def test_an_address_has_one_at_and_no_blanks(email: str) -> None:
    assert email_problem(email) == "The e-mail address must look like ada@photos.example."


@pytest.mark.parametrize("password", ["12345678", "ü" * 8, " " * 8, "x" * 1024, "two\nlines"])
def test_a_password_may_be_anything_that_is_long_enough(password: str) -> None:
    assert password_problem(password) is None


def test_a_password_that_will_not_do_is_told_why() -> None:
    assert password_problem("1234567") == "The password must be at least 8 characters long."
    assert password_problem("x" * 1025) == "The password must be at most 1024 characters long."
    assert password_problem("\udcff" * 8) == "The password holds characters that cannot be typed."
