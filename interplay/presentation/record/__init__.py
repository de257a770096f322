"""The record of one run, and the data that views and reports show: functions of record, attempt and round."""
