"""From a request to a run: options, models, cases, forecast, asking, checking, self-test."""
