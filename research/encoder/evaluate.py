"""Measures an encoder: STS-B (Spearman), FLORES (retrieval of translations, both directions with
English), and the questions of ../questions/test.jsonl.gz (the sentence with the answer among those
of its document).

    python evaluate.py --work work --data ../../../shared/data --questions ../questions --onnx encoder.onnx
    python evaluate.py --work work --data … --questions … --teacher          # the 12-layer original

--against FILE.onnx also gives the cosine of the two files' vectors, on NTREX.
"""
import argparse
import gzip
import json
import os
import subprocess

import numpy as np
from scipy.stats import spearmanr

parser = argparse.ArgumentParser()
parser.add_argument("--work", default="work")
parser.add_argument("--data", required=True)
parser.add_argument("--questions", required=True)
parser.add_argument("--onnx", default="")
parser.add_argument("--teacher", action="store_true")
parser.add_argument("--against", default="")
parser.add_argument("--pairs", type=int, default=500, help="first pairs of each STS-B test part; 0 for all")
parser.add_argument("--sentences", type=int, default=506, help="first sentences of FLORES")
args = parser.parse_args()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def tokenize(texts):
    lines = "".join(" ".join(t.split()) + "\n" for t in texts)
    out = subprocess.run(["go", "run", "./research/encoder/tokenize", "-vocabulary", os.path.abspath(f"{args.work}/vocabulary.bin")], cwd=root, input=lines.encode(), capture_output=True, check=True).stdout
    flat, ids, at = np.frombuffer(out, np.int32), [], 0
    for _ in texts:
        ids.append(flat[at + 1 : at + 1 + min(flat[at], 500)].tolist() or [3])
        at += 1 + flat[at]
    return ids


QUERY = tokenize(["query:"])[0]
PASSAGE = tokenize(["passage:"])[0]


def embedder(path):
    """A function of texts' ids and whether they are questions, to vectors of unit length."""
    if path:
        import onnxruntime

        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        hidden = lambda x, shown: session.run(None, {"input_ids": x, "attention_mask": shown})[0]
    else:
        import torch
        from network import teacher

        model, table = teacher(f"{args.work}/teacher.safetensors")

        def hidden(x, shown):
            with torch.no_grad():
                return model(table[torch.from_numpy(x)], torch.from_numpy(shown).bool()).numpy()

    def embed(texts, prefix):
        out, order = [None] * len(texts), sorted(range(len(texts)), key=lambda k: len(texts[k]))
        for k in range(0, len(order), 16):
            batch = order[k : k + 16]
            longest = max(len(texts[j]) for j in batch) + 2 + len(prefix)
            x, shown = np.ones((len(batch), longest), np.int64), np.zeros((len(batch), longest), np.int64)
            for n, j in enumerate(batch):
                row = [0, *prefix, *texts[j], 2]
                x[n, : len(row)], shown[n, : len(row)] = row, 1
            h = hidden(x, shown)
            for n, j in enumerate(batch):
                length = len(texts[j])
                v = h[n, 1 + len(prefix) : 1 + len(prefix) + length] if path else h[n, : length + 2 + len(prefix)]
                v = v.mean(0)
                out[j] = v / np.linalg.norm(v)
        return np.array(out)

    return embed


# The student reads sentences without a prefix; the original has one for each use.
embed = embedder("" if args.teacher else args.onnx)
symmetric, passage = (QUERY, PASSAGE) if args.teacher else ([], [])
sts = {}
for language in "en de es fr it nl pl pt ru tr zh".split():
    rows = [line.rstrip("\n").split("\t") for line in open(f"{args.data}/eval/sts/stsb-{language}-test.tsv")]
    rows = rows[: args.pairs or None]
    a, b = (embed(tokenize([r[k] for r in rows]), symmetric) for k in (1, 2))
    sts[language] = spearmanr([float(r[0]) for r in rows], (a * b).sum(1))[0]
print("STS-B", " ".join(f"{k} {v:.3f}" for k, v in sts.items()), f"mean {np.mean(list(sts.values())):.4f}", flush=True)
flores = [json.loads(line) for line in gzip.open(f"{args.data}/eval/flores-devtest-a.jsonl.gz", "rt")][: args.sentences]
vectors = {k: embed(tokenize([f[k] for f in flores]), symmetric) for k in flores[0] if len(k) <= 3}
accuracy = {}
for language, v in vectors.items():
    if language != "en":
        near, which = v @ vectors["en"].T, np.arange(len(flores))
        accuracy[language] = 50 * ((near.argmax(1) == which).mean() + (near.argmax(0) == which).mean())
print("FLORES", " ".join(f"{k} {v:.1f}" for k, v in accuracy.items()), f"mean {np.mean(list(accuracy.values())):.2f} least {min(accuracy.values()):.1f}", flush=True)
ranks, across = [], []
documents = [json.loads(line) for line in gzip.open(f"{args.questions}/test.jsonl.gz", "rt")]
candidates = iter(embed(tokenize([s for d in documents for s in d["sentences"]]), passage))
asked = iter(embed(tokenize([q["question"] for d in documents for q in d["questions"]]), QUERY))
for d in documents:
    own = np.array([next(candidates) for _ in d["sentences"]])
    for q in d["questions"]:
        s = own @ next(asked)
        ranks.append(int((s > s[q["sentence"]]).sum()))
        across.append(q["language"] != d["language"])
ranks, across = np.array(ranks), np.array(across)
for name, r in (("all", ranks), ("same language", ranks[~across]), ("another language", ranks[across])):
    print(f"questions, {name}: {len(r)}, first {100 * (r == 0).mean():.1f} %, among three {100 * (r < 3).mean():.1f} %", flush=True)
if args.against:
    rows = [json.loads(line) for line in gzip.open(f"{args.data}/parallel/ntrex.jsonl.gz", "rt")][::40]
    texts = tokenize([v for r in rows for k, v in r.items() if k != "document"])
    cosines = (embed(texts, symmetric) * embedder(args.against)(texts, symmetric)).sum(1)
    print(f"cosine with {args.against} on {len(texts)} sentences: mean {cosines.mean():.4f}, least {cosines.min():.4f}")
