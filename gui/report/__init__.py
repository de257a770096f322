"""The report on a run: `assemble.py` reads it from the record, `core.report.page` writes HTML, `pdf.py` prints."""
