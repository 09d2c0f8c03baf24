"""How many pictures a second PyTorch's ResNet-18 learns from and looks at, beside `cargo bench --bench network`.

The same network (3x3 stem of step 1, no first pooling, one channel, 16 symbols), Adam with decay, batches of 128 and
512, channels last. Pictures are on the card beforehand and are not changed, so this is a little easier than what nsr does.
"""

import time

import torch
from torch import nn
from torchvision.models import resnet18


def network():
    net = resnet18(num_classes=16)
    net.conv1 = nn.Conv2d(1, 64, 3, padding=1, bias=False)
    net.maxpool = nn.Identity()
    return net.cuda().to(memory_format=torch.channels_last)


def measure(name, batch, half, tf32, compiled, steps=200, warm=50):
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cudnn.benchmark = True
    net = network()
    model = torch.compile(net) if compiled else net
    optimiser = torch.optim.AdamW(net.parameters(), fused=True)
    pictures = torch.rand(20_000, 1, 32, 32, device="cuda").to(memory_format=torch.channels_last)
    symbols = torch.randint(16, (20_000,), device="cuda")
    loss_of = nn.CrossEntropyLoss()

    def step():
        chosen = torch.randint(20_000, (batch,), device="cuda")
        with torch.autocast("cuda", torch.bfloat16, enabled=half):
            loss = loss_of(model(pictures[chosen]), symbols[chosen])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()

    def timed(work, count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            work()
        torch.cuda.synchronize()
        return batch * count / (time.perf_counter() - start)

    timed(step, warm)
    learning = timed(step, steps)
    net.eval()

    def look():
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=half):
            model(pictures[:batch])

    timed(look, 20)
    looking = timed(look, steps)
    print(f"PyTorch {torch.__version__} {name}, batch {batch}: {learning:.0f} pictures/s learning, {looking:.0f} looking", flush=True)


print(torch.cuda.get_device_name())
for batch in (128, 512):
    measure("f32", batch, False, False, False)
    measure("tf32", batch, False, True, False)
    measure("bf16", batch, True, True, False)
measure("bf16 compiled", 512, True, True, True)
