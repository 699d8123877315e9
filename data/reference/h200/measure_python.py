#!/usr/bin/env python3
"""Measures whole networks as Python runs them on the GPU of this machine, and changes nothing on it.

Writes networks_python.csv, one row a configuration, in the columns of networks_infer.csv. Weights and inputs are
random; a training iteration is forward, a mean of squares, backward, and gradients dropped. Power is NVML's instant
field, read every 10 ms by a process of its own, over the last three quarters of the window.

    measure_python.py FOLDER SECONDS [NETWORK,...]     begins no network after so long
"""
import csv, ctypes, multiprocessing as mp, random, sys, time

NETWORKS = """resnet50 mobilenet_v2 vgg16 densenet121 efficientnet_b0 vit_b_16 alexnet googlenet inception_v3
shufflenet_v2_x1_0 resnet18 mobilenet_v3_large swin_t squeezenet1_1 resnext50_32x4d efficientnet_b2 wide_resnet50_2
mnasnet1_0 resnet101 bert_base regnet_x_400mf regnet_y_8gf densenet169 vgg11_bn mobilenet_v3_small convnext_base
resnet34 vit_b_32""".split()
SIZES = {"alexnet": 227, "inception_v3": 299}
# With networks named in the call, the sides that those were published with.
PUBLISHED = {**SIZES, "efficientnet_b1": 240, "efficientnet_b3": 300, "efficientnet_b4": 380, "efficientnet_v2_s": 384,
             "swin_v2_t": 256, "swin_v2_s": 256, "efficientnet_v2_m": 480}
BATCHES = (32, 128)
LANGUAGE = ("bert_base", "distilbert", "gpt2")
SLOTS = 200_000
COLUMNS = ["model", "size", "batch", "mode", "dtype", "iters", "seconds", "ms_per_iter", "samples_per_s",
           "p_mean_instant_w", "p_max_instant_w", "p_sd_w", "p_mean_usage_w", "energy_counter_j", "j_per_sample",
           "sm_mhz_mean", "mem_mhz", "temp_c"]


class FieldValue(ctypes.Structure):
    _fields_ = [("field", ctypes.c_uint), ("scope", ctypes.c_uint), ("timestamp", ctypes.c_longlong),
                ("latency", ctypes.c_longlong), ("type", ctypes.c_int), ("result", ctypes.c_int),
                ("value", ctypes.c_ulonglong)]


def sample(times, instant, usage, clock, memory, celsius, count):
    nvml = ctypes.CDLL("libnvidia-ml.so.1")
    nvml.nvmlInit_v2()
    gpu = ctypes.c_void_p()
    nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(gpu))
    field, word = FieldValue(), ctypes.c_uint()
    while True:
        i = count.value % SLOTS
        field.field, field.scope = 186, 0
        nvml.nvmlDeviceGetFieldValues(gpu, 1, ctypes.byref(field))
        instant[i] = (field.value & 0xFFFFFFFF) / 1000
        nvml.nvmlDeviceGetPowerUsage(gpu, ctypes.byref(word)); usage[i] = word.value / 1000
        nvml.nvmlDeviceGetClockInfo(gpu, 1, ctypes.byref(word)); clock[i] = word.value
        nvml.nvmlDeviceGetClockInfo(gpu, 2, ctypes.byref(word)); memory[i] = word.value
        nvml.nvmlDeviceGetTemperature(gpu, 0, ctypes.byref(word)); celsius[i] = word.value
        times[i] = time.time()
        count.value += 1
        time.sleep(0.009)


class Bench:
    """Runs steps over and over while a process of its own watches the GPU."""

    def __init__(self):
        self.arrays = [mp.Array("d", SLOTS, lock=False) for _ in range(6)]
        self.count = mp.Value("l", 0, lock=False)
        mp.Process(target=sample, args=(*self.arrays, self.count), daemon=True).start()

    def timed(self, step):
        import torch
        step(); torch.cuda.synchronize()
        begin = time.time(); n = 0
        while time.time() - begin < 0.25 or n < 3:
            step(); n += 1
            if n % 4 == 0: torch.cuda.synchronize()
        torch.cuda.synchronize()
        iterations = max(3, int(0.6 * n / (time.time() - begin)))
        begin = time.time()
        for _ in range(iterations): step()
        torch.cuda.synchronize()
        return iterations, begin, time.time()

    def row(self, name, size, batch, mode, dtype, step):
        """A line of COLUMNS."""
        iterations, begin, end = self.timed(step)
        times, instant, usage, clock, memory, celsius = self.arrays
        rows = [i for i in range(self.count.value) if begin + 0.25 * (end - begin) <= times[i] <= end]
        mean = lambda values: sum(values[i] for i in rows) / len(rows)
        power, seconds = mean(instant), end - begin
        spread = (sum((instant[i] - power) ** 2 for i in rows) / len(rows)) ** 0.5
        return [name, size, batch, mode, dtype, iterations, f"{seconds:.4f}", f"{seconds / iterations * 1e3:.5f}",
                f"{batch * iterations / seconds:.2f}", f"{power:.2f}", f"{max(instant[i] for i in rows):.2f}",
                f"{spread:.2f}", f"{mean(usage):.2f}", "", f"{power * seconds / iterations / batch:.6f}",
                f"{mean(clock):.1f}", f"{memory[rows[-1]]:.0f}", f"{celsius[rows[-1]]:.0f}"]


def passes(model, x, answer_of):
    """Inference and training of a model, each as a step to repeat."""
    import torch

    def infer():
        with torch.no_grad(): model(x)

    def train():
        answer_of(model(x)).float().square().mean().backward()
        model.zero_grad(set_to_none=True)

    for mode, step in (("infer", infer), ("train", train)):
        model.train(mode == "train")
        yield mode, step


def main():
    folder, deadline = sys.argv[1], time.time() + float(sys.argv[2])
    named = sys.argv[3].split(",") if len(sys.argv) > 3 else []
    bench = Bench()
    import torch, torchvision
    torch.backends.cudnn.allow_tf32 = True

    def build(name):
        if name in LANGUAGE:
            import transformers
            kinds = {"bert_base": (transformers.BertModel, transformers.BertConfig),
                     "distilbert": (transformers.DistilBertModel, transformers.DistilBertConfig),
                     "gpt2": (transformers.GPT2Model, transformers.GPT2Config)}
            model, config = kinds[name]
            return model(config(use_cache=False) if name == "gpt2" else config()), 128
        extra = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
        size = (PUBLISHED if named else SIZES).get(name, 224)
        with torch.device("cuda"):
            return getattr(torchvision.models, name)(weights=None, **extra), size

    def answer_of(y, language):
        if language: return y.last_hidden_state
        if hasattr(y, "aux_logits1"): return y.logits
        if hasattr(y, "aux_logits"): return y.logits + 0.4 * y.aux_logits
        return y

    out = open(f"{folder}/networks_python.csv", "w", newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    order = named or NETWORKS[:]
    random.Random(7).shuffle(order)
    for name in order:
        if time.time() > deadline: return
        try:
            torch.manual_seed(0)
            model, size = build(name)
            language = name in LANGUAGE
            for dtype, kind in (("tf32conv", torch.float32), ("bf16_nhwc", torch.bfloat16)):
                model = model.to("cuda", kind)
                channels_last = dtype == "bf16_nhwc" and not language
                if channels_last: model = model.to(memory_format=torch.channels_last)
                for batch in BATCHES:
                    if language: x = torch.randint(0, 30000, (batch, size), device="cuda")
                    else: x = torch.randn(batch, 3, size, size, device="cuda", dtype=kind)
                    if channels_last: x = x.to(memory_format=torch.channels_last)
                    for mode, step in passes(model, x, lambda y: answer_of(y, language)):
                        word = "bf16" if language and dtype == "bf16_nhwc" else dtype
                        writer.writerow(bench.row(name, size, batch, mode, word, step))
                        out.flush()
        except Exception as error:  # one network failing must not cost the others
            print(name, "failed:", str(error)[:200], flush=True)
        model = x = None
        torch.cuda.empty_cache()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    main()
