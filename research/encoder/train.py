"""Distils multilingual-e5-small into the encoder that ships: fewer and narrower layers, a
smaller table, sentences read without a prefix, vectors without what only tells the language.

    torchrun --nproc-per-node 2 train.py --work work --minutes 90     # two cores
    python train.py --work work --minutes 12 --device cuda --batch 8
    python train.py --work work --minutes 0 --weights weights.safetensors     # fits only the output layer

writes work/student.safetensors, which research/encoder/export and, with --weights, this program
read. Each step is one of

  sentences  the student's vector of a sentence is the teacher's mean over the sentence's own
             tokens ("query: " in front), less CENTRE of the mean vector of its language and COMMON
             of what is then common to all; the hidden states of each token, after each layer,
             are the teacher's, after each second one
  pairs      both sides of a translation have one vector, the mean of the teacher's two, and
             are nearer to each other than to the other sentences of the batch
  questions  a question ("query: " in front) is nearest to the sentence that answers it, among
             those of its document and of the others
  windows    hidden states in windows of a document, title first
"""
import argparse
import collections
import json
import math
import os
import random
import time

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

from network import BOS, EOS, PAD, WIDTH, narrow, student, teacher

parser = argparse.ArgumentParser()
parser.add_argument("--work", default="work")
parser.add_argument("--out", default="student.safetensors")
parser.add_argument("--weights", default="", help="weights to go on with")
parser.add_argument("--minutes", type=float, default=60, help="0 fits only the output layer")
parser.add_argument("--rate", type=float, default=4e-4)
parser.add_argument("--layers", default="0,2,4,6,8,11", help="layers of the teacher that the student begins with")
parser.add_argument("--inner", type=int, default=1024, help="inner units of a layer")
parser.add_argument("--batch", type=int, default=1, help="how many times the batch of two cores")
parser.add_argument("--device", default="cpu")
parser.add_argument("--mix", default="0.38,0.34,0.20,0.08", help="shares of sentences, pairs, questions, windows")
parser.add_argument("--states", type=float, default=3, help="weight of the hidden states beside the vectors in sentences; less at the end")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
random.seed(args.seed)
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)
device = torch.device(args.device)

index = json.load(open(f"{args.work}/index.json"))
flat = np.fromfile(f"{args.work}/texts.ids", np.int32)
starts = []
at = 0
while at < len(flat):
    starts.append(at)
    at += 1 + flat[at]


def ids(line, most=128):
    at = starts[line]
    return flat[at + 1 : at + 1 + min(flat[at], most)].tolist() or [3]


QUERY = ids(0)

original, table = teacher(f"{args.work}/teacher.safetensors")
start = load_file(args.weights) if args.weights else load_file(f"{args.work}/table.safetensors")
encoder = student(original, [int(k) for k in args.layers.split(",")], start["codes"].to(torch.uint8), start["books"].float())
original, table, encoder = original.to(device), table.to(device, torch.bfloat16), encoder.to(device)
for layer in original.layers:  # autocast would convert them anew each time
    for linear in (layer.qkv, layer.attended, layer.inner, layer.outer):
        linear.to(torch.bfloat16)


def mixed():
    return torch.autocast(device.type, torch.bfloat16)


# The layers of the teacher whose states the student's layers have as targets.
TAUGHT = [(k + 1) * len(original.layers) // len(encoder.body.layers) - 1 for k in range(len(encoder.body.layers))]


def padded(texts, prefix=()):
    """ids and what is shown of them (batch × tokens), and the weights of each text's own tokens in its mean."""
    longest = max(map(len, texts)) + 2 + len(prefix)
    x = torch.full((len(texts), longest), PAD)
    shown, own = torch.zeros(len(texts), longest, dtype=torch.bool), torch.zeros(len(texts), longest)
    for k, text in enumerate(texts):
        row = [BOS, *prefix, *text, EOS]
        x[k, : len(row)] = torch.tensor(row)
        shown[k, : len(row)] = True
        own[k, 1 + len(prefix) : len(row) - 1] = 1 / len(text)
    return x.to(device), shown.to(device), own.to(device)


def parts(texts):
    """Numbers of texts of similar length, so that little is padded: the shorter half, and so on."""
    order, out = sorted(range(len(texts)), key=lambda k: len(texts[k])), []
    while order:
        most, n = len(texts[order[-1]]) + 3, 1
        while n < len(order) and (n < 8 or len(texts[order[-1 - n]]) + 3 > 0.7 * most):
            n += 1
        out.append(order[-n:])
        del order[-n:]
    return out


def teach(texts):
    """The teacher's vectors, means over the texts' own tokens of unit length, and its hidden states of the texts' own tokens."""
    vectors, states = [None] * len(texts), [None] * len(texts)
    for part in parts(texts):
        x, shown, own = padded([texts[k] for k in part], QUERY)
        with torch.no_grad(), mixed():
            every = original.states(table[x], shown)
            h = [every[k].float() for k in TAUGHT]
        mean = F.normalize((h[-1] * own[..., None]).sum(1), dim=1)
        for n, k in enumerate(part):
            vectors[k], states[k] = mean[n], [s[n, 1 + len(QUERY) : 1 + len(QUERY) + len(texts[k])] for s in h]
    return torch.stack(vectors), states


def read(texts, prefix=(), states=None):
    """The student's vectors and, with the teacher's hidden states of the texts' own tokens, how far its own are from them."""
    vectors, off = [None] * len(texts), 0
    for part in parts(texts):
        x, shown, own = padded([texts[k] for k in part], prefix)
        with mixed():
            h = [s.float() for s in encoder.body.states(encoder.pieces(x), shown)]
        v = F.normalize(encoder.output((h[-1] * own[..., None]).sum(1)), dim=1)
        for n, k in enumerate(part):
            vectors[k] = v[n]
        if states:
            for layer, mine in enumerate(h):
                target = torch.cat([states[k][layer] for k in part])
                off = off + (mine[own > 0] - target).pow(2).sum() / target.pow(2).sum() * len(part) / len(texts) / len(h)
    return torch.stack(vectors), off


def tempered(groups, power=0.4):
    names = list(groups)
    weights = np.array([len(groups[n]) ** power for n in names])
    return names, weights / weights.sum()


sentences, pairs, rows = index["sentences"], index["pairs"], index["rows"]
documents = collections.defaultdict(list)
for language, title, lines in index["documents"]:
    documents[language].append((title, lines))
for both, of in pairs.items():  # short everyday sentences, too
    for side, language in enumerate(both.split()):
        if language in sentences:
            sentences[language] += [pair[side] for pair in random.sample(of, min(len(of), max(2000, len(sentences[language]) // 8)))]
languages, language_weights = tempered(sentences)
sides, side_weights = tempered(pairs)
document_languages, document_weights = tempered(documents)


def language_means():
    """The mean vector of each language's sentences, and of all."""
    pool = collections.defaultdict(list)
    for row in rows:
        for language, n in row.items():
            pool[language].append(n)
    for language, lines in sentences.items():
        pool[language] += random.sample(lines, min(200, len(lines)))
    means = {}
    for language, lines in pool.items():
        lines = random.sample(lines, min(192, len(lines)))
        means[language] = torch.cat([teach([ids(n, 64) for n in lines[k : k + 64]])[0] for k in range(0, len(lines), 64)]).mean(0)
    return means


# Shares of a language's mean, and then of all vectors' mean, that a vector loses. All of the
# language's mean would take 0.013 of the teacher's STS-B, half takes 0.002. If vectors keep what all have
# in common, cosines of unrelated sentences are about 0.7, and summaries by embeddings alone lose two points
# of ROUGE-2 on DUC 2002.
CENTRE, COMMON = 0.5, 0.9
file = f"{args.work}/own-means.safetensors"
if not os.path.exists(file):
    save_file({k: v.cpu().contiguous() for k, v in language_means().items()}, file)
means = {k: v.to(device) for k, v in load_file(file).items()}
overall = torch.stack(list(means.values())).mean(0)


def centred(vectors, of):
    return F.normalize(vectors - CENTRE * torch.stack([means.get(language, overall) for language in of]), dim=1)


def prune():
    """Keeps the inner units whose outputs are largest on sample sentences."""
    sizes = [torch.zeros(layer.inner.out_features, device=device) for layer in encoder.body.layers]
    hooks = [layer.inner.register_forward_hook(lambda m, x, y, k=k: sizes[k].add_(F.gelu(y.float()).pow(2).sum((0, 1)))) for k, layer in enumerate(encoder.body.layers)]
    for _ in range(6):
        with torch.no_grad():
            read([ids(random.choice(sentences[languages[k]]), 64) for k in rng.choice(len(languages), size=64, p=language_weights)])
    for hook in hooks:
        hook.remove()
    for size, layer in zip(sizes, encoder.body.layers):
        units = (size * layer.outer.weight.pow(2).sum(0)).topk(args.inner).indices.sort().values
        narrow(layer, units)
        layer.to(device)


if args.inner < encoder.body.layers[0].inner.out_features:
    prune()
if args.weights:
    encoder.load(start)


queue = []


def batches():
    """Sentences of all languages in batches of one length, about 1,800 tokens each."""
    lines = [(languages[k], random.choice(sentences[languages[k]])) for k in rng.choice(len(languages), size=2000 * args.batch, p=language_weights)]
    texts = sorted(((ids(n), language) for language, n in lines), key=lambda t: len(t[0]))
    out, now = [], []
    for t in texts:
        if now and (len(now) + 1) * (len(t[0]) + 3) > 1800 * args.batch:
            out.append(now)
            now = []
        now.append(t)
    out.append(now)
    random.shuffle(out)
    return out


def means_of(texts):
    """The inputs of the output layer: the means of the texts' own tokens."""
    means = [None] * len(texts)
    for part in parts(texts):
        x, shown, own = padded([texts[n] for n in part])
        with torch.no_grad(), mixed():
            h = encoder(x, shown).float()
        for n, mean in zip(part, (h * own[..., None]).sum(1)):
            means[n] = mean
    return torch.stack(means)


def fit_output(count=20_000):
    """Makes the output layer's inputs white, and sets it to what fits the teacher best."""
    means, targets = [], []
    for k in range(0, count, 100):
        chosen = [languages[i] for i in rng.choice(len(languages), size=100, p=language_weights)]
        texts = [ids(random.choice(sentences[language]), 64) for language in chosen]
        targets.append(centred(teach(texts)[0], chosen))
        means.append(means_of(texts))
    x, y = torch.cat(means).double(), torch.cat(targets).double()
    y = F.normalize(y - COMMON * y.mean(0), dim=1)
    mean, eye = x.mean(0), torch.eye(WIDTH, device=device, dtype=torch.double)
    spread = (x - mean).T @ (x - mean) / len(x)
    values, vectors = torch.linalg.eigh(spread + 1e-4 * spread.diagonal().mean() * eye)
    white = vectors @ torch.diag(values**-0.5) @ vectors.T
    z = (x - mean) @ white
    weight = torch.linalg.solve(z.T @ z + 0.02 * len(x) * eye, z.T @ (y - y.mean(0))).T @ white
    encoder.output.set(weight.float(), (y.mean(0) - weight @ mean).float(), mean.float(), white.float())
    match_cosines(x.float(), y.float())
    with torch.no_grad():
        fitted = F.normalize(encoder.output(x.float()), dim=1)
    print(f"output layer: cosine with the teacher {(fitted * y).sum(1).mean():.4f}", flush=True)


def match_cosines(x, y, steps=700, batch=256):
    """Trains the output layer alone: x is its inputs, y the teacher's vectors. Their cosines with each
    other count, as STS-B compares those, and not the vectors."""
    optimizer = torch.optim.Adam(encoder.output.parameters(), lr=4e-4)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 4e-4 * (1 - step / steps)
        some = torch.randint(0, len(x), (batch,), device=device)
        v = F.normalize(encoder.output(x[some]), dim=1)
        loss = (v @ v.T - y[some] @ y[some].T).pow(2).mean() + (1 - (v * y[some]).sum(1)).mean() / 100
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def altered(text, other):
    """The text with a few tokens left out, two parts swapped, or an end of another text: small differences count, too."""
    n, how = len(text), random.random()
    if n < 4:
        return text
    at = random.randrange(1, n)
    if how < 0.4:
        return text[:at] + text[at + random.randint(1, min(4, n - 1)) :]
    if how < 0.6:
        return text[at:] + text[:at]
    return text[:at] + other[random.randrange(len(other)) :][: n - at] if how < 0.8 else text[: n // 2 + 1]


def sentence_step():
    if not queue:
        queue.extend(batches())
    batch = queue.pop()
    if random.random() < 0.5:  # half of them, each beside an altered copy
        half = batch[: max(1, len(batch) // 2)]
        batch = half + [(altered(text, random.choice(batch)[0]), language) for text, language in half]
    texts, of = [t for t, _ in batch], [language for _, language in batch]
    target, states = teach(texts)
    vectors, off = read(texts, (), states)
    target = centred(target, of)
    alike = (vectors @ vectors.T - target @ target.T).pow(2).mean()
    return 3 * (1 - (vectors * target).sum(1)).mean() + 8 * alike + args.states * off, len(texts)


def pair_step():
    left, right = [], []
    if random.random() < 0.45:  # news, long
        for row in random.choices(rows, k=32 * args.batch):
            a, b = random.sample(list(row), 2)
            if random.random() < 0.5 and "en" in row and a != "en":
                b = "en"
            left.append((a, row[a]))
            right.append((b, row[b]))
    else:
        for k in rng.choice(len(sides), size=80 * args.batch, p=side_weights):
            a, b = sides[k].split()
            s, t = random.choice(pairs[sides[k]])
            left.append((a, s))
            right.append((b, t))
    loss, targets, vectors = 0, [], []
    for side in (left, right):
        texts = [ids(n, 80) for _, n in side]
        target, states = teach(texts)
        v, off = read(texts, (), states)
        loss = loss + args.states / 3 * off
        targets.append(centred(target, [language for language, _ in side]))
        vectors.append(v)
    target = F.normalize(targets[0] + targets[1], dim=1)
    for v in vectors:
        loss = loss + 1.5 * (1 - (v * target).sum(1)).mean()
    near, which = vectors[0] @ vectors[1].T * 20, torch.arange(len(left), device=device)
    return loss + 0.25 * (F.cross_entropy(near, which) + F.cross_entropy(near.T, which)), 2 * len(left)


def question_step():
    asked = [random.choice(index["questions"] if random.random() < 0.5 or not index["squad"] else index["squad"]) for _ in range(18 * args.batch)]
    found = [q[1] for q in asked]
    for q in asked:
        found += random.sample(q[2], min(5, len(q[2])))
    vectors, _ = read([ids(q[0], 48) for q in asked], QUERY)
    candidates, _ = read([ids(n, 72) for n in found])
    return 0.6 * F.cross_entropy(vectors @ candidates.T * 20, torch.arange(len(asked), device=device)), len(found)


def window_step():
    windows, count = [], random.choice([1, 1, 2, 3]) * args.batch
    limit = max(160, 480 // count)
    for k in rng.choice(len(document_languages), size=count, p=document_weights):
        title, lines = random.choice(documents[document_languages[k]])
        at = random.randrange(max(1, len(lines) - 6)) if random.random() < 0.6 else 0
        row = [BOS] + (ids(title, 60) + [EOS] if title >= 0 else [])
        while at < len(lines) and (len(row) == 1 or len(row) + len(ids(lines[at], 160)) < limit):
            row += ids(lines[at], 160)
            at += 1
        windows.append(row[1:])
    x, shown, _ = padded(windows)
    with torch.no_grad(), mixed():
        target = original(table[x], shown).float()
    with mixed():
        h = encoder(x, shown).float()
    inside = shown[..., None]
    return 2 * ((h - target).pow(2) * inside).sum() / (target.pow(2) * inside).sum(), count


fit_output()
alone = int(os.environ.get("WORLD_SIZE", 1)) == 1
if not alone:  # each core learns by itself for ROUND steps; then all go on with the mean of their weights
    dist.init_process_group("gloo")
    for tensor in encoder.state_dict().values():
        dist.broadcast(tensor, 0)
    random.seed(args.seed * 1000 + dist.get_rank())
    rng = np.random.default_rng(args.seed * 1000 + dist.get_rank())
first = alone or dist.get_rank() == 0
ROUND = 16


def mean_of_all(tensor):
    if not alone:
        dist.all_reduce(tensor)
        tensor /= dist.get_world_size()
    return tensor


plain = [p for n, p in encoder.named_parameters() if p.ndim == 2 and n not in ("body.positions", "output.linear.weight")]
last = list(encoder.output.linear.parameters())  # of large inputs: white ones
small = [encoder.books, encoder.body.positions]
others = [p for p in encoder.parameters() if all(p is not q for q in plain + small + last)]
groups = [dict(params=plain, weight_decay=0.01, share=1.0), dict(params=others, weight_decay=0.0, share=1.0), dict(params=small, weight_decay=0.0, share=0.5), dict(params=last, weight_decay=0.0, share=0.08)]
optimizer = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), eps=1e-6)
steps = [("sentences", sentence_step), ("pairs", pair_step), ("questions", question_step), ("windows", window_step)]
mix = np.array([float(x) for x in args.mix.split(",")])
mix /= mix.sum()
began, end, n, log, count = time.time(), args.minutes * 60, 0, collections.defaultdict(list), collections.Counter()
while (passed := mean_of_all(torch.tensor(time.time() - began)).item()) < end:
    for _ in range(ROUND):
        rate = args.rate * min(1, (n + 1) / 60) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * passed / end)))
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        name, step = steps[rng.choice(len(steps), p=mix)]
        loss, texts = step()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        log[name].append(loss.item())
        count[name] += texts
        n += 1
    with torch.no_grad():
        for p in encoder.parameters():
            mean_of_all(p)
    if first and n % (8 * ROUND) == 0:
        print(f"{n} steps, {passed:.0f} s, rate {rate:.1e};", "; ".join(f"{k} {np.mean(v):.3f} ({count[k]})" for k, v in sorted(log.items())), flush=True)
        log.clear()
        save_file(encoder.tensors(), f"{args.work}/{args.out}")
if first:
    # Without training the layers stay, and so do the ranges of their inputs.
    ranges = {} if n else {name: t for name, t in start.items() if name.endswith((".range", ".shrink"))}
    save_file({**ranges, **encoder.tensors()}, f"{args.work}/{args.out}")
    print(f"{n} steps, {dict(count)}")
