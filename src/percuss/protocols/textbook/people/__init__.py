"""What people say of items and answers: Tables 1 and 2 and Figures 1 to 4 of the paper as ours, with what they leave open."""
