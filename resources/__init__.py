"""Data that ships with Interplay: read it with `importlib.resources.files("resources")`."""
