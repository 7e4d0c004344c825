"""A model as judge: it plans searches, reads what they bring, and says of the reference and of the content what it finds.

planner     what to look for next, by rule or by a model
verdict     a reply into a verdict: consistency enforced, quotes verified
strategies  full text, snippets, or a model with a web search of its own; and the fallback judge
"""
