"""Measures the ranges of the inputs of each matrix product of the layers, which the 8-bit encoder has as
constants, and adds them to the weights:

    python ranges.py --work work --weights student.safetensors --out ranged.safetensors

With constants a text has the same vector in every batch, and on every machine.
"""
import argparse
import json

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

from network import BOS, EOS, PAD, Encoder

parser = argparse.ArgumentParser()
parser.add_argument("--work", default="work")
parser.add_argument("--weights", required=True)
parser.add_argument("--out", default="")
parser.add_argument("--texts", type=int, default=600)
args = parser.parse_args()

tensors = load_file(args.weights)
layers = sum(name.endswith("qkv.weight") for name in tensors)
encoder = Encoder(layers, tensors["layers.0.inner.weight"].shape[0], tensors["codes"].to(torch.uint8), tensors["books"])
encoder.load(tensors)
encoder.requires_grad_(False).eval()
linears = {f"layers.{k}.{name}": getattr(layer, name) for k, layer in enumerate(encoder.body.layers) for name in ("qkv", "attended", "inner", "outer")}

index = json.load(open(f"{args.work}/index.json"))
flat = np.fromfile(f"{args.work}/texts.ids", np.int32)
starts, at = [], 0
while at < len(flat):
    starts.append(at)
    at += 1 + flat[at]
random = np.random.default_rng(5)
every = [lines for lines in index["sentences"].values() if len(lines) > 100]
texts = []
for k in range(args.texts):
    lines = every[k % len(every)]
    at = starts[lines[random.integers(len(lines))]]
    texts.append(flat[at + 1 : at + 1 + min(flat[at], 128)].tolist() or [3])


def run(texts):
    out = []
    for t in texts:
        x = torch.tensor([[BOS, *t, EOS]])
        h = encoder.output(encoder(x, torch.ones_like(x, dtype=torch.bool)))[0, 1:-1].mean(0)
        out.append(F.normalize(h, dim=0))
    return torch.stack(out)


def watch(look):
    """Runs the first half of the texts with look(name, inputs of a matrix)."""
    hooks = [linear.register_forward_pre_hook(lambda m, x, name=name: look(name, x[0].reshape(-1, x[0].shape[-1]))) for name, linear in linears.items()]
    run(texts[: len(texts) // 2])
    for hook in hooks:
        hook.remove()


# A few units are ten times as large as all others: shrunk, they leave the others more steps.
low, high = {}, {}


def extremes(name, x):
    low[name] = torch.minimum(low.get(name, x[0]), x.amin(0))
    high[name] = torch.maximum(high.get(name, x[0]), x.amax(0))


watch(extremes)
found = {}
for name, linear in linears.items():
    size = torch.maximum(high[name], -low[name])
    top = size.topk(4).values
    shrink = torch.clamp(top[3] / size, max=1) if top[0] > 2 * top[3] else torch.ones_like(size)
    found[name + ".shrink"] = shrink
    found[name + ".range"] = torch.stack([(low[name] * shrink).min(), (high[name] * shrink).max()])
    print(f"{name}: {found[name + '.range'][0]:.2f} to {found[name + '.range'][1]:.2f}, least factor {shrink.min():.3f}")


def rounded(x, low, high):
    step = (high - low) / 255
    zero = torch.round(-low / step)
    return (torch.clamp(torch.round(x / step) + zero, 0, 255) - zero) * step


def weights_rounded(w):
    step = w.abs().amax(1, keepdim=True) / 63
    return torch.round(w / step) * step


tried = texts[len(texts) // 2 :]
before = run(tried)
for name, linear in linears.items():
    shrink, (least, most) = found[name + ".shrink"], found[name + ".range"]
    linear.weight.copy_(weights_rounded(linear.weight / shrink))
    linear.register_forward_pre_hook(lambda m, x, shrink=shrink, least=least, most=most: (rounded(x[0] * shrink, least, most),))
cosines = (before * run(tried)).sum(1)
print(f"cosine of {len(tried)} other texts in 8 bits and exact: mean {cosines.mean():.4f}, least {cosines.min():.4f}")
if args.out:
    save_file({**{name: t.contiguous() for name, t in tensors.items()}, **found}, args.out)
