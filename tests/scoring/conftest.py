from tests.committing import shared_database

__all__ = ["shared_database"]
