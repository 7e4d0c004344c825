"""What people said of answers, held against their scores."""
