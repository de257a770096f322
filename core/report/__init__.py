"""Programs and runs as documents. Views only: nothing here decides anything, and no solver is imported."""
