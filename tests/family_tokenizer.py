"""Small tokenizers of the kinds that published models have, saved as transformers saves them."""

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import PreTrainedTokenizerFast

LINES = [
    "the cat sleeps",
    "the dog sees a cat",
    "Ein Café, naïve!",
    "고양이가 잔다",
    "你好 世界 123",
]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def of_words():
    """Cut as BERT's is: lower case, accents gone, word pieces."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer, trainers.WordPieceTrainer(vocab_size=90, special_tokens=SPECIALS)


def of_bytes():
    """Cut as GPT-2's is: pairs of bytes, none unknown."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=SPECIALS, initial_alphabet=alphabet
    )
    return tokenizer, trainer


def of_pieces():
    """Cut as T5's is: the likeliest pieces of sentencepiece."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer, trainers.UnigramTrainer(
        vocab_size=80, special_tokens=SPECIALS, unk_token="[UNK]"
    )


KINDS = (of_words, of_bytes, of_pieces)


def published(folder, make=of_words):
    """Save one as transformers does, told to cut off and to fill up; return theirs."""
    tokenizer, trainer = make()
    trainer.show_progress = False
    tokenizer.train_from_iterator(LINES * 3, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_truncation(6)
    tokenizer.enable_padding(length=6)
    theirs = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]"
    )
    theirs.save_pretrained(folder)
    stored = folder / "tokenizer.json"
    tokenizer.save(str(stored))
    return theirs
