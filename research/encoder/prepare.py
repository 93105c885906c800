"""Collects the texts to train on, one a line, and an index of their lines:

    python prepare.py --data ../../../shared/data --questions ../questions --out work

writes work/texts.txt, work/index.json, and work/languages.tsv, from which research/encoder/pieces
chooses the pieces.
"""
import argparse
import collections
import glob
import gzip
import json
import os
import re

# Grade C of the corpora's index, and what is kept for evaluation.
LEFT_OUT = {"debian_news_opl", "masc", "parlspeech_sample", "gcdt_zh", "xquad"}
SENTENCE = re.compile(r"(?<=[.!?…])[\"”»’)\]]*\s+(?=[^a-zа-яё\s])|(?<=[。！？।؟])[\"”」』）]*\s*|\n+")
CHINESE = re.compile(r"(?<=[。！？])")

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True, help="folder with free/ and parallel/")
parser.add_argument("--questions", required=True, help="folder with train.jsonl.gz")
parser.add_argument("--squad", action="append", default=[], metavar="LANG=FILE", help="more questions, in the format of SQuAD (JaQuAD, DRCD, CMRC 2018)")
parser.add_argument("--out", default="work")
args = parser.parse_args()

os.makedirs(args.out, exist_ok=True)
texts = open(f"{args.out}/texts.txt", "w")
lines = 0
known = {}


def line(text):
    """The line of a text; the same text has one."""
    global lines
    text = " ".join(text.split())
    if text not in known:
        known[text] = lines
        texts.write(text + "\n")
        lines += 1
    return known[text]


assert line("query:") == 0  # the prefix of questions, which train.py takes from here
sentences, documents = collections.defaultdict(list), []
for path in sorted(glob.glob(f"{args.data}/free/*.jsonl.gz")):
    if os.path.basename(path).split(".")[0] in LEFT_OUT:
        continue
    for row in map(json.loads, gzip.open(path, "rt")):
        for d in row.get("documents", [row]):
            language = d.get("lang") or row.get("language") or row.get("lang")
            parts = [s.strip() for s in SENTENCE.split(d["text"]) if s and len(s.strip()) > 3]
            numbers = [line(s) for s in parts]
            sentences[language] += [n for n, s in zip(numbers, parts) if 8 <= len(s) <= 400]
            if len(parts) > 3:
                documents.append([language, line(d["title"]) if d.get("title") else -1, numbers])

pairs = collections.defaultdict(list)
for name in ("tatoeba", "tico19"):
    for row in gzip.open(f"{args.data}/parallel/{name}.tsv.gz", "rt"):
        a, b, s, t = row.rstrip("\n").split("\t")
        pairs[f"{a} {b}"].append([line(s), line(t)])
rows = []
for name in ("ntrex", "ud-pud"):
    for row in map(json.loads, gzip.open(f"{args.data}/parallel/{name}.jsonl.gz", "rt")):
        rows.append({k: line(v) for k, v in row.items() if len(k) == 2 and isinstance(v, str)})

own, others = [], []
for d in map(json.loads, gzip.open(f"{args.questions}/train.jsonl.gz", "rt")):
    numbers = [line(s) for s in d["sentences"]]
    for q in d["questions"]:
        own.append([line(q["question"]), numbers[q["sentence"]], [n for k, n in enumerate(numbers) if k != q["sentence"]]])
for option in args.squad:
    path = option.split("=", 1)[1]
    for article in json.load(open(path))["data"]:
        for p in article["paragraphs"]:
            spans, at = [], 0
            for s in CHINESE.split(p["context"]):
                spans.append((at, at + len(s), s.strip()))
                at += len(s)
            for q in p["qas"]:
                start = q["answers"][0]["answer_start"]
                hit = [k for k, (a, b, s) in enumerate(spans) if a <= start < b]
                if len(spans) > 2 and hit:
                    others.append([line(q["question"]), line(spans[hit[0]][2]), [line(s) for k, (_, _, s) in enumerate(spans) if k != hit[0] and s]])

texts.close()
# At most MOST texts of a language, evenly spread, decide which pieces it needs.
MOST = 60_000
by = collections.defaultdict(list, {k: list(v) for k, v in sentences.items()})
for languages, both in pairs.items():
    for k, language in enumerate(languages.split()):
        by[language] += [p[k] for p in both]
for row in rows:
    for language, n in row.items():
        by[language].append(n)
every = list(known)
with open(f"{args.out}/languages.tsv", "w") as f:
    for language, numbers in sorted(by.items()):
        for n in numbers[:: max(1, len(numbers) // MOST)][:MOST]:
            f.write(f"{language}\t{every[n]}\n")
json.dump({"sentences": sentences, "documents": documents, "pairs": pairs, "rows": rows, "questions": own, "squad": others}, open(f"{args.out}/index.json", "w"))
print(lines, "texts;", {k: len(v) for k, v in sorted(sentences.items(), key=lambda x: -len(x[1]))}, len(documents), "documents", sum(map(len, pairs.values())), "pairs", len(rows), "rows", len(own), "+", len(others), "questions")
