"""Static analyses: intervals of variables and of terms, liveness."""
