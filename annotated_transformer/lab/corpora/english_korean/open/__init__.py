"""What the open lexicon has besides the large one: more of what visitors say. CC0."""
