"""Questions of seven types: what one holds, whether it is well formed, and the layout that the benchmark released."""
