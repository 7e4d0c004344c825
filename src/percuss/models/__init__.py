"""Models by name, and what they need: providers, the local model, embeddings, weights, prices, and the fakes.

registry           "provider/name" -> model; where data goes
openai_compatible  the wire format that most servers speak
embedded           llama.cpp inside this process
inspect_provider   any model of Inspect
scripted           given replies, in order
loopback           a server of the wire format that fails on purpose
embeddings         texts -> unit vectors
assets             weights: hash, licence, size; fetched once
prices             USD per million tokens, dated
"""
