"""The desktop workbench: the only package that imports Qt."""
