"""Goals on a tree as rows of two tables, and their residuals and Jacobians: what least-squares methods share."""
