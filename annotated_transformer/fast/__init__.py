"""What is there only for speed, each beside the plain formula that it must equal."""
