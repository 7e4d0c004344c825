"""DataAgent: a seeded synthetic hospital on SQLite, PostgreSQL or MariaDB, asked by SQL, notes and CSV files (papers/3 section 2.1)."""

from percuss.protocols.skills.worlds.hospital.world import Hospital

__all__ = ["WORLD", "Hospital"]

WORLD = Hospital()
