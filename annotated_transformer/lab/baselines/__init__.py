"""What came before the paper: recurrent models, and the layers of its Table 1."""
