"""Item response: how hard items are and how well they tell models apart, and a short form that ranks models alike."""
