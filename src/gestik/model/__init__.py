"""What moves: joints, the skeleton they form, the postures it strikes, the character that owns them."""
