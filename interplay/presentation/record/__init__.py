"""One run, and what views and reports ask of it: functions of record, attempt and round."""
