"""Figures 7 to 9 of Jhala and McMillan (LMCS 2007), measured on programs of our own."""
