"""PubMed as a source of evidence, over NCBI's E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25501/)."""
