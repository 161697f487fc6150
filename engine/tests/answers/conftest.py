"""Tables of answers, imported like any other."""

from tests.data.conftest import home, keys, read

__all__ = ["home", "keys", "read"]
