"""The UMLS REST service of the National Library of Medicine, for those who have a key to it."""
