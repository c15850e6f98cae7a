"""ERIK: expressive inverse kinematics after Ribeiro & Paiva, complete and corrected."""
