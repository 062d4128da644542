"""What the evaluation's pages say: from studies and their results to the contexts of the pages. It joins two
adapters, so it stands above them.
"""
