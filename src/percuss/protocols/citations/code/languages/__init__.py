"""R, Scala and Elixir at the level of what is installed and imported."""
