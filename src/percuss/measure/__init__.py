"""From cells to estimates: rates, contrasts, ranks, correction and the one formatter of numbers, for every protocol."""
