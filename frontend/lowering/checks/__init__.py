"""Checks of undefined behaviour, and what knows the living objects for them."""
