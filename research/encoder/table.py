"""Product quantization of the table of pieces (Jégou et al. 2011): PARTS bytes a piece instead of 384 numbers.

    python table.py --work work

writes work/table.safetensors: codes (pieces × parts, uint8), books (parts × 256 × 384/parts).
"""
import argparse

import torch
from safetensors.torch import load_file, save_file

parser = argparse.ArgumentParser()
parser.add_argument("--work", default="work")
parser.add_argument("--parts", type=int, default=96)
parser.add_argument("--sample", type=int, default=24_000, help="pieces on which the centres are fitted")
parser.add_argument("--rounds", type=int, default=10)
args = parser.parse_args()
torch.manual_seed(0)

table = load_file(f"{args.work}/teacher.safetensors")["emb.word"]
pieces, width = table.shape
sub = width // args.parts
codes, books = torch.zeros(pieces, args.parts, dtype=torch.uint8), torch.zeros(args.parts, 256, sub)
sample = torch.randperm(pieces)[: args.sample]


def nearest(x, centres):
    return torch.cat([(part @ centres.T * -2 + centres.pow(2).sum(1)).argmin(1) for part in x.split(16_384)])


for p in range(args.parts):
    x = table[:, p * sub : (p + 1) * sub].contiguous()
    fit = x[sample]
    centres = fit[torch.randperm(len(fit))[:256]].clone()
    for _ in range(args.rounds):
        a = nearest(fit, centres)
        n = torch.zeros(256).index_add_(0, a, torch.ones(len(a)))
        sums = torch.zeros(256, sub).index_add_(0, a, fit)
        centres = torch.where(n[:, None] > 0, sums / n.clamp(min=1)[:, None], fit[torch.randint(len(fit), (256,))])
    codes[:, p] = nearest(x, centres).to(torch.uint8)
    books[p] = centres
again = books[torch.arange(args.parts), codes.long()].flatten(1)
print(f"{pieces} pieces, {args.parts} bytes each, relative error {((table - again).pow(2).sum() / table.pow(2).sum()).item():.4f}")
save_file({"codes": codes, "books": books}, f"{args.work}/table.safetensors")
