"""One file for each view. A view takes (model, focus), reads the record, and follows the focus."""
