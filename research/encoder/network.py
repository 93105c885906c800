"""The encoder's network: multilingual-e5-small's layers, fewer of them, and a table of pieces in product quantization."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file

WIDTH, HEADS, INNER, POSITIONS = 384, 12, 1536, 512
BOS, PAD, EOS = 0, 1, 2


class Layer(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, 1e-12)
        self.inner = nn.Linear(WIDTH, inner)
        self.outer = nn.Linear(inner, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, 1e-12)

    def forward(self, x, mask):
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        # PyTorch's attention is slow on a CPU, forward and back.
        near = (q @ k.transpose(2, 3)).masked_fill(~mask, -1e4) * (WIDTH // HEADS) ** -0.5
        context = (near.softmax(3).to(v.dtype) @ v).transpose(1, 2).reshape(b, t, WIDTH)
        x = self.attended_norm(x + self.attended(context))
        return self.outer_norm(x + self.outer(F.gelu(self.inner(x))))


class Layers(nn.Module):
    """Vectors of pieces (batch, tokens, WIDTH) to hidden states of the same shape."""

    def __init__(self, layers, inner=INNER):
        super().__init__()
        self.positions = nn.Parameter(torch.zeros(POSITIONS, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer(inner) for _ in range(layers))

    def forward(self, pieces, shown):
        return self.states(pieces, shown)[-1]

    def states(self, pieces, shown):
        """The hidden states after each layer."""
        x = self.norm(pieces + self.positions[: pieces.shape[1]])
        mask, states = shown[:, None, None, :], []
        for layer in self.layers:
            x = layer(x, mask)
            states.append(x)
        return states


def teacher(path):
    """The 12-layer original and its table, from what research/encoder/import wrote."""
    t = load_file(path)
    m = Layers(12)
    with torch.no_grad():
        m.positions.copy_(t["emb.pos"][:POSITIONS] + t["emb.type"].view(-1, WIDTH)[0])
        m.norm.weight.copy_(t["emb.ln.w"])
        m.norm.bias.copy_(t["emb.ln.b"])
        for i, layer in enumerate(m.layers):
            layer.qkv.weight.copy_(torch.cat([t[f"l{i}.{n}.w"] for n in "qkv"]))
            layer.qkv.bias.copy_(torch.cat([t[f"l{i}.{n}.b"] for n in "qkv"]))
            for linear, name in ((layer.attended, "ao"), (layer.inner, "fi"), (layer.outer, "fo")):
                linear.weight.copy_(t[f"l{i}.{name}.w"])
                linear.bias.copy_(t[f"l{i}.{name}.b"])
            for norm, name in ((layer.attended_norm, "aln"), (layer.outer_norm, "oln")):
                norm.weight.copy_(t[f"l{i}.{name}.w"])
                norm.bias.copy_(t[f"l{i}.{name}.b"])
    return m.requires_grad_(False).eval(), t["emb.word"]


class Output(nn.Module):
    """A linear layer of vectors that are first centred and made white. Without that it learns slowly: the
    means of hidden states have nearly all in common."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mean", torch.zeros(WIDTH))
        self.register_buffer("white", torch.eye(WIDTH))

    def forward(self, x):
        return self.linear((x - self.mean) @ self.white)

    @property
    def weight(self):
        return self.linear.weight @ self.white.T

    @property
    def bias(self):
        return self.linear.bias - self.weight @ self.mean

    def set(self, weight, bias, mean=None, white=None):
        """The layer weight·x + bias, for vectors with this mean, made white by this matrix."""
        with torch.no_grad():
            if mean is not None:
                self.mean.copy_(mean)
                self.white.copy_(white)
            self.linear.weight.copy_(torch.linalg.solve(self.white.double(), weight.T.double()).T)
            self.linear.bias.copy_(bias + weight @ self.mean)


class Encoder(nn.Module):
    """The student. codes: pieces × parts, uint8; books: parts × 256 × WIDTH/parts."""

    def __init__(self, layers, inner, codes, books):
        super().__init__()
        self.body = Layers(layers, inner)
        self.books = nn.Parameter(books)
        self.output = Output()
        self.register_buffer("codes", codes)
        self.register_buffer("first", torch.arange(codes.shape[1]) * 256)
        self.output.set(torch.eye(WIDTH), torch.zeros(WIDTH))

    def pieces(self, ids):
        return F.embedding(self.codes[ids].long() + self.first, self.books.view(-1, self.books.shape[-1])).flatten(-2)

    def forward(self, ids, shown):
        """Hidden states before the output layer."""
        return self.body(self.pieces(ids), shown)

    def tensors(self):
        """What research/encoder/export reads."""
        out = {"codes": self.codes.float(), "books": self.books, "positions": self.body.positions, "norm.scale": self.body.norm.weight, "norm.shift": self.body.norm.bias,
               "output.weight": self.output.weight, "output.bias": self.output.bias}
        for k, layer in enumerate(self.body.layers):
            for name in ("qkv", "attended", "inner", "outer"):
                out[f"layers.{k}.{name}.weight"] = getattr(layer, name).weight
                out[f"layers.{k}.{name}.bias"] = getattr(layer, name).bias
            for name in ("attended", "outer"):
                out[f"layers.{k}.{name}.scale"] = getattr(layer, name + "_norm").weight
                out[f"layers.{k}.{name}.shift"] = getattr(layer, name + "_norm").bias
        return {name: t.detach().cpu().contiguous() for name, t in out.items()}

    def load(self, tensors):
        with torch.no_grad():
            self.codes.copy_(tensors["codes"].to(torch.uint8))
            for name, target in (("books", self.books), ("positions", self.body.positions), ("norm.scale", self.body.norm.weight), ("norm.shift", self.body.norm.bias)):
                target.copy_(tensors[name])
            self.output.set(tensors["output.weight"], tensors["output.bias"])
            for k, layer in enumerate(self.body.layers):
                for name in ("qkv", "attended", "inner", "outer"):
                    getattr(layer, name).weight.copy_(tensors[f"layers.{k}.{name}.weight"])
                    getattr(layer, name).bias.copy_(tensors[f"layers.{k}.{name}.bias"])
                for name in ("attended", "outer"):
                    getattr(layer, name + "_norm").weight.copy_(tensors[f"layers.{k}.{name}.scale"])
                    getattr(layer, name + "_norm").bias.copy_(tensors[f"layers.{k}.{name}.shift"])


def student(original, kept, codes, books):
    """An encoder of some of the original's layers."""
    e = Encoder(len(kept), INNER, codes, books)
    with torch.no_grad():
        e.body.positions.copy_(original.positions)
        e.body.norm.load_state_dict(original.norm.state_dict())
        for mine, k in zip(e.body.layers, kept):
            mine.load_state_dict(original.layers[k].state_dict())
    return e


def narrow(layer, units):
    """Keeps these inner units of a layer."""
    inner, outer = nn.Linear(WIDTH, len(units)), nn.Linear(len(units), WIDTH)
    with torch.no_grad():
        inner.weight.copy_(layer.inner.weight[units])
        inner.bias.copy_(layer.inner.bias[units])
        outer.weight.copy_(layer.outer.weight[:, units])
        outer.bias.copy_(layer.outer.bias)
    layer.inner, layer.outer = inner, outer
