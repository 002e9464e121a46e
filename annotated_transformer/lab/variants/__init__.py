"""What chapters compare the paper's parts with, and no option of the model takes."""
