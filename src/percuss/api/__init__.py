"""What people call: `percuss.run(..)`, a check again, a report, judges' cards; the only place that builds models."""
