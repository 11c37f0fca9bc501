"""Wikipedia, asked over the MediaWiki API: pages found, read whole and given by section."""
