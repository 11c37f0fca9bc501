"""The papers' comparisons, one file each: what is asked of whom, what is measured, and what was published."""
