"""The views, one file each. A view takes (model, focus), reads the record, and follows the focus."""
