"""The report on a run: `assemble.py` reads it from the record, `interplay.presentation.report.page` writes HTML,
`pdf.py` prints."""
