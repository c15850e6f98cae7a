"""Files and models: each format in its own file, all of them hardened against what strangers write."""
