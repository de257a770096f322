"""Checks of undefined behaviour, and the living objects that they need."""
