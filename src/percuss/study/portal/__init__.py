"""The web application in which people judge, adjudicate and coordinate."""
