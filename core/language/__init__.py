"""The one reading of a sentence: sentences, words and statements of English text, from one parse."""
