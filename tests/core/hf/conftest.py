"""Tiny models with random weights, made here and saved as their publishers save theirs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

WORDS = ["fever", "Fever", "rash", "lens", "heart", "bone", "what", "is", "the", "?", ":", "##s", "##ly"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WIDTH = 32


@pytest.fixture(autouse=True)
def _no_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The hub is off and its cache empty: no test reads what the developer has downloaded."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)


@pytest.fixture(scope="session")
def wordpiece() -> Tokenizer:
    """BERT's: words and their ends."""
    vocabulary = {piece: n for n, piece in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


@pytest.fixture(scope="session")
def bytelevel() -> Tokenizer:
    """RoBERTa's, without merges: a token a byte."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({piece: n for n, piece in enumerate(pieces)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return tokenizer


@pytest.fixture(scope="session")
def sentencepiece() -> Tokenizer:
    """T5's: a space belongs to the word that follows it, and nothing stands before a text."""
    words = {word for word in " ".join([*WORDS, "Represent the Medicine question for retrieving"]).split(" ")}
    letters = {*"abcdefghijklmnopqrstuvwxyzRMF:?▁"}
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -20.0)]
    pieces += [(f"▁{word}", -5.0) for word in sorted(words)] + [(letter, -9.0) for letter in sorted(letters)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=2))
    tokenizer.normalizer = normalizers.NFKC()
    # As T5 has it: without the split, sentence-transformers counts the space at an instruction's end as a token.
    split = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(split)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return tokenizer


@pytest.fixture(scope="session")
def save_tokenizer() -> Callable[..., None]:
    """Write a tokenizer into a folder, as transformers does."""

    def save(tokenizer: Tokenizer, folder: Path, longest: int, **special: object) -> None:
        from transformers import PreTrainedTokenizerFast

        copy = Tokenizer.from_str(tokenizer.to_str())
        PreTrainedTokenizerFast(tokenizer_object=copy, model_max_length=longest, **special).save_pretrained(folder)

    return save


INPUTS = ["input_ids", "token_type_ids", "attention_mask"]
BERT_SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
ROBERTA_SPECIAL = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}
T5_SPECIAL = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"}
SMALL = {"hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory, wordpiece: Tokenizer, save_tokenizer: Callable[..., None]) -> Path:
    """A bare BERT that reads 16 tokens."""
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("models") / "bert"
    config = BertConfig(vocab_size=len(SPECIAL + WORDS), max_position_embeddings=16, **SMALL)
    _seeded(BertModel, config).save_pretrained(folder)
    save_tokenizer(wordpiece, folder, 1_000_000, **BERT_SPECIAL)
    return folder


@pytest.fixture(scope="session")
def biobert(bert: Path) -> Path:
    """The same with the files that BioBERT has: a vocabulary, and no word on case."""
    folder = bert.with_name("biobert-base-cased-v1.1")
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(bert / name, folder)
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *WORDS]))
    return folder


@pytest.fixture(scope="session")
def roberta(bert: Path, bytelevel: Tokenizer, save_tokenizer: Callable[..., None]) -> Path:
    """A bare RoBERTa whose table of 18 positions holds 16 tokens."""
    from transformers import RobertaConfig, RobertaModel

    folder = bert.with_name("roberta-base")
    config = RobertaConfig(vocab_size=260, max_position_embeddings=18, type_vocab_size=1, **SMALL)
    _seeded(RobertaModel, config).save_pretrained(folder)
    save_tokenizer(bytelevel, folder, 1_000_000, **ROBERTA_SPECIAL)
    return folder


@pytest.fixture(scope="session")
def instructor(bert: Path, sentencepiece: Tokenizer, save_tokenizer: Callable[..., None]) -> Path:
    """INSTRUCTOR's make: T5's encoder, mean, a projection without bias, and norm 1."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Dense, Transformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling
    from transformers import T5Config, T5EncoderModel

    bare, folder = bert.with_name("t5"), bert.with_name("instructor-base")
    config = T5Config(vocab_size=80, d_model=WIDTH, d_kv=16, d_ff=64, num_layers=2, num_heads=2)
    _seeded(T5EncoderModel, config).save_pretrained(bare)
    save_tokenizer(sentencepiece, bare, 64, **T5_SPECIAL)
    torch.manual_seed(2)
    dense = Dense(WIDTH, 24, bias=False, activation_function=torch.nn.Identity())
    modules = [Transformer(str(bare)), Pooling(WIDTH, "mean"), dense, Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder))
    return folder


@pytest.fixture(scope="session")
def cross_encoder(bert: Path, wordpiece: Tokenizer, save_tokenizer: Callable[..., None]) -> Path:
    """A BERT with one score that reads 16 tokens."""
    from transformers import BertConfig, BertForSequenceClassification

    folder = bert.with_name("cross-encoder")
    config = BertConfig(vocab_size=len(SPECIAL + WORDS), max_position_embeddings=16, num_labels=1, **SMALL)
    _seeded(BertForSequenceClassification, config).save_pretrained(folder)
    save_tokenizer(wordpiece, folder, 16, model_input_names=INPUTS, **BERT_SPECIAL)
    return folder


@pytest.fixture
def bare_folder(tmp_path: Path) -> Path:
    """A folder that has what a model's folder must have, and no model."""
    folder = tmp_path / "some-model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    return folder


def _seeded(kind: Any, config: Any) -> Any:
    """Weights large enough that every token matters: the usual ones of a fresh model make all texts alike."""
    import torch

    torch.manual_seed(1)
    model = kind(config).eval()
    with torch.no_grad():
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.normal_(0, 0.3)
    return model
