"""The self-test of human studies: phantom raters with planted habits go through the portal, agreement must recover what was planted."""
