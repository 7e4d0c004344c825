"""One folder a protocol: its cases, its conditions, how an answer is read, what is counted, what is special to show."""
