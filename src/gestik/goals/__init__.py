"""What is asked of a skeleton: one file per goal, and how well angles meet it."""
