#!/usr/bin/env python3
"""Whether PyTorch, given the weights that `nsr export` writes, sees in pictures what nsr sees.

    benches/weights_torch.py NSR MODEL.nsr PICTURES

Builds the network in PyTorch by the file's own description, loads every tensor by its name, looks at some pictures, and compares symbols and
probabilities with those of `nsr explain --json`, whose drawing holds the pictures as the network sees them. Needs torch, safetensors and pillow.
"""

import base64
import io
import json
import re
import subprocess
import sys
import tempfile

import torch
from PIL import Image
from safetensors import safe_open
from torch import nn
from torch.nn import functional

LOOKED_AT = 40  # the longest row


class Layer(nn.Module):
    """A convolution and its normalisation, with the names that nsr gives."""

    def __init__(self, inputs, outputs, kernel, stride):
        super().__init__()
        self.stride, self.padding = stride, kernel // 2
        self.weight = nn.Parameter(torch.empty(outputs, inputs, kernel, kernel))
        for name in ("scale", "shift", "mean", "variance"):
            setattr(self, name, nn.Parameter(torch.empty(outputs)))

    def forward(self, x):
        x = functional.conv2d(x, self.weight, stride=self.stride, padding=self.padding)
        return functional.batch_norm(x, self.mean, self.variance, self.scale, self.shift)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = Layer(inputs, outputs, 3, stride)
        self.second = Layer(outputs, outputs, 3, 1)
        self.shortcut = Layer(inputs, outputs, 1, stride) if stride > 1 or inputs != outputs else None

    def forward(self, x):
        across = self.shortcut(x) if self.shortcut else x
        return functional.relu(self.second(functional.relu(self.first(x))) + across)


class Network(nn.Module):
    def __init__(self, stride, widths, blocks, symbols):
        super().__init__()
        self.stem = Layer(1, widths[0], 3, stride)
        inputs, made = widths[0], []
        for stage, width in enumerate(widths):
            for number in range(blocks):
                made.append(Block(inputs, width, 2 if stage and not number else 1))
                inputs = width
        self.blocks = nn.ModuleList(made)
        self.output = nn.Linear(inputs, symbols)

    def forward(self, x):
        x = functional.relu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return self.output(x.mean((2, 3)))


def pictures_in(svg):
    """The pictures of a drawing, as the network sees them."""
    encoded = re.findall(r'href="data:image/png;base64,([^"]*)"', open(svg).read())
    pictures = [Image.open(io.BytesIO(base64.b64decode(text))).convert("L") for text in encoded]
    pixels = [torch.frombuffer(bytearray(picture.tobytes()), dtype=torch.uint8) for picture in pictures]
    return torch.stack([row.reshape(1, picture.height, picture.width) for row, picture in zip(pixels, pictures)])


def main(nsr, model, pictures):
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        subprocess.run([nsr, "export", model, file.name], check=True, stdout=subprocess.DEVNULL)
        with safe_open(file.name, "pt") as opened:
            about = opened.metadata()
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}
    symbols = json.loads(about["symbols"])
    network = Network(int(about["stride"]), json.loads(about["widths"]), int(about["blocks"]), len(symbols))
    network.load_state_dict(tensors, strict=True)
    network.eval()
    row = " ".join(map(str, range(LOOKED_AT)))
    with tempfile.NamedTemporaryFile(suffix=".svg") as svg:
        explain = [nsr, "explain", model, row, "--images", pictures]
        subprocess.run([*explain, "--svg", svg.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pixels = pictures_in(svg.name).float() / 255
    ours = json.loads(subprocess.run([*explain, "--json"], capture_output=True, text=True).stdout)["seen"]
    with torch.no_grad():
        seen = network(pixels).softmax(1)
    assert len(seen) == len(ours) == LOOKED_AT
    worst = 0.0
    for row, other in zip(seen, ours):
        here = row[symbols.index(other["symbol"])].item()
        worst = max(worst, abs(here - other["probability"]))
        assert here == here, "a number is none"
    print(f"{len(tensors)} tensors, {len(ours)} pictures: probabilities differ by at most {worst:.2e}")
    sys.exit(worst > 1e-3)


main(*sys.argv[1:])
