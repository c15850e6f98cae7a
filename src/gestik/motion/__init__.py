"""Motion: from single poses to a performance."""
