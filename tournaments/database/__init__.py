"""Ways to write and read the database: bulk inserts, snapshots, the write lock of SQLite."""
