"""Charts as SVG, made from figures and nothing else, so that a page, a file and a test get the same."""
