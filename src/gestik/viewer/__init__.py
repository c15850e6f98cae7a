"""The demo, in a browser or without one.  Only the browser page needs the ``viewer`` extra."""
