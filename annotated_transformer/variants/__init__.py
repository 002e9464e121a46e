"""What came after the paper and takes the place of one of its parts."""
