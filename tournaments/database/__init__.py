"""How the database is written to and read: bulk inserts, snapshots, the write lock of SQLite."""
