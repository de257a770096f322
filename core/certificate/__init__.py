"""The independent check of certificates. Imports no engine and no domain: a proof is checked by other code."""
