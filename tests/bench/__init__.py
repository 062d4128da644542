"""`python -m tests.bench`: how fast the product's own code is, told so that another machine can compare."""
