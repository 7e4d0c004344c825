"""Text as it stands, with nothing of medicine's judgement in it: sentences, numbers, units, quotes, kinds of statement, files."""
