"""The loop of the classic Jacobian methods: what they share; each adds how it makes a step."""
