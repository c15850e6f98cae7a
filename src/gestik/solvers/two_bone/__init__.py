"""Two bones in closed form: on three points, and on limbs of skeletons."""
