"""What every test may ask for. Contracts and builders assert too, so their asserts explain themselves."""

import pytest

pytest.register_assert_rewrite("tests.contracts", "tests.support")

pytest_plugins = ["tests.support.databases", "tests.support.sharing"]
