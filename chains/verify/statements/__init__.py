"""What statements say of one another: the rule by which a passage supports a claim or contradicts it."""
