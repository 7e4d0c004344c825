"""What holds for every test: examples of laws may take their time on a busy machine; nothing timed is a test."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
