#!/usr/bin/env python3
"""Measures whole networks and the kernels inside them on the GPU of this machine, and changes nothing on it.

Writes networks_more.csv (one row a configuration: wall time, time the GPU was busy, power), operations.csv (one row
an operator and its input shapes: kernel time inside the network) and ceilings.csv (large copies and products).
Weights and inputs are random. Power is NVML's instant field, read every 10 ms by a process of its own.
"""
import ctypes, csv, multiprocessing as mp, os, random, sys, time

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
DEADLINE = time.time() + float(sys.argv[2] if len(sys.argv) > 2 else 540)
SLOTS = 200_000
NETWORKS = """resnet50 mobilenet_v2 vgg16 densenet121 efficientnet_b0 vit_b_16 alexnet googlenet inception_v3
shufflenet_v2_x1_0 resnet18 mobilenet_v3_large convnext_tiny swin_t squeezenet1_1 resnext50_32x4d efficientnet_b3
wide_resnet50_2 mnasnet1_0 resnet101 bert_base gpt2 regnet_y_1_6gf efficientnet_v2_s densenet169 vgg19
mobilenet_v3_small convnext_base resnet34""".split()
CONFIGURATIONS = [("infer", "tf32conv", 64), ("train", "tf32conv", 64), ("infer", "bf16_nhwc", 128),
                  ("infer", "tf32conv", 16), ("infer", "tf32conv", 256), ("train", "bf16_nhwc", 64),
                  ("infer", "fp32", 64)]


class FieldValue(ctypes.Structure):
    _fields_ = [("field", ctypes.c_uint), ("scope", ctypes.c_uint), ("timestamp", ctypes.c_longlong),
                ("latency", ctypes.c_longlong), ("type", ctypes.c_int), ("result", ctypes.c_int),
                ("value", ctypes.c_ulonglong)]


def sample(times, instant, usage, clock, celsius, energy, count):
    nvml = ctypes.CDLL("libnvidia-ml.so.1")
    nvml.nvmlInit_v2()
    gpu = ctypes.c_void_p()
    nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(gpu))
    field, word, joules = FieldValue(), ctypes.c_uint(), ctypes.c_ulonglong()
    while True:
        i = count.value % SLOTS
        field.field, field.scope = 186, 0
        nvml.nvmlDeviceGetFieldValues(gpu, 1, ctypes.byref(field))
        instant[i] = (field.value & 0xFFFFFFFF) / 1000
        nvml.nvmlDeviceGetPowerUsage(gpu, ctypes.byref(word)); usage[i] = word.value / 1000
        nvml.nvmlDeviceGetClockInfo(gpu, 1, ctypes.byref(word)); clock[i] = word.value
        nvml.nvmlDeviceGetTemperature(gpu, 0, ctypes.byref(word)); celsius[i] = word.value
        nvml.nvmlDeviceGetTotalEnergyConsumption(gpu, ctypes.byref(joules)); energy[i] = joules.value / 1000
        times[i] = time.time()
        count.value += 1
        time.sleep(0.008)


def main():
    arrays = [mp.Array("d", SLOTS, lock=False) for _ in range(6)]
    count = mp.Value("l", 0, lock=False)
    mp.get_context("spawn")
    sampler = mp.Process(target=sample, args=(*arrays, count), daemon=True)
    sampler.start()
    import torch, torchvision
    times, instant, usage, clock, celsius, energy = arrays

    def window(begin, end):
        rows = [i for i in range(count.value) if begin <= times[i] <= end]
        p = [instant[i] for i in rows]
        m = sum(p) / len(p)
        sd = (sum((x - m) ** 2 for x in p) / len(p)) ** 0.5
        joules = (energy[rows[-1]] - energy[rows[0]]) / (times[rows[-1]] - times[rows[0]])
        return [f"{m:.2f}", f"{max(p):.2f}", f"{sd:.2f}", f"{usage[rows[-1]]:.2f}", f"{joules:.2f}",
                f"{sum(clock[i] for i in rows) / len(rows):.1f}", f"{celsius[rows[-1]]:.0f}"]

    def precision(dtype):
        torch.backends.cudnn.allow_tf32 = dtype != "fp32"
        torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32all"

    def timed(step, seconds, warm):
        step(); torch.cuda.synchronize()
        begin = time.time(); n = 0
        while time.time() - begin < warm or n < 3:
            step(); n += 1
            if n % 4 == 0: torch.cuda.synchronize()
        torch.cuda.synchronize()
        each = (time.time() - begin) / n
        iterations = max(3, int(seconds / each))
        begin = time.time()
        for _ in range(iterations): step()
        torch.cuda.synchronize()
        end = time.time()
        return iterations, end - begin, window(begin + 0.25 * (end - begin), end)

    def build(name):
        if name in ("bert_base", "gpt2"):
            import transformers as hf
            if name == "bert_base": return hf.BertModel(hf.BertConfig()), 128
            return hf.GPT2LMHeadModel(hf.GPT2Config(use_cache=False)), 128
        make = getattr(torchvision.models, name)
        size = {"alexnet": 227, "inception_v3": 299}.get(name, 224)
        extra = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
        return make(weights=None, **extra), size

    networks = csv.writer(open(f"{OUT}/networks_more.csv", "w", newline=""))
    operations = csv.writer(open(f"{OUT}/operations.csv", "w", newline=""))
    ceilings = csv.writer(open(f"{OUT}/ceilings.csv", "w", newline=""))
    power = ["p_mean_instant_w", "p_max_instant_w", "p_sd_w", "p_end_usage_w", "p_counter_w", "sm_mhz_mean", "temp_c"]
    networks.writerow(["model", "size", "batch", "mode", "dtype", "iters", "seconds", "ms_per_iter", "gpu_ms_per_iter",
                       "kernels_per_iter"] + power)
    operations.writerow(["model", "batch", "mode", "dtype", "operator", "input_shapes", "calls", "gpu_us_per_call"])
    ceilings.writerow(["what", "size", "ms_per_iter"] + power)

    def ceiling(what, size, step):
        n, s, p = timed(step, 0.9, 0.5)
        ceilings.writerow([what, size, f"{s / n * 1e3:.5f}"] + p)

    torch.cuda.init()
    _ = torch.zeros(1, device="cuda"); time.sleep(1.2)
    now = time.time(); ceilings.writerow(["context_idle", 0, 0] + window(now - 0.8, now))
    for mega in (4, 16, 64, 1024):
        x = torch.randn(mega << 18, device="cuda"); y = torch.empty_like(x)
        ceiling("copy_fp32", mega << 20, lambda: y.copy_(x))
    for dtype, word in ((torch.float32, "fp32"), (torch.float32, "tf32all"), (torch.bfloat16, "bf16")):
        precision(word)
        for n in (1024, 2048, 4096, 8192):
            a = torch.randn(n, n, device="cuda", dtype=dtype); b = torch.randn(n, n, device="cuda", dtype=dtype)
            c = torch.empty_like(a)
            if n in (1024, 8192): ceiling("matmul_" + word, n, lambda: torch.mm(a, b, out=c))
    from torch.profiler import profile, ProfilerActivity
    random.seed(7)
    for mode, dtype, batch in CONFIGURATIONS:
        order = NETWORKS[:]; random.shuffle(order)
        for name in order:
            if time.time() > DEADLINE: return
            if dtype == "fp32" and name not in NETWORKS[:10]: continue
            try:
                torch.manual_seed(0)
                model, size = build(name)
                language = name in ("bert_base", "gpt2")
                kind = torch.bfloat16 if dtype == "bf16_nhwc" else torch.float32
                model = model.to("cuda", kind)
                if dtype == "bf16_nhwc" and not language: model = model.to(memory_format=torch.channels_last)
                precision(dtype)
                if language: x = torch.randint(0, 30000, (batch, size), device="cuda")
                else:
                    x = torch.randn(batch, 3, size, size, device="cuda", dtype=kind)
                    if dtype == "bf16_nhwc": x = x.to(memory_format=torch.channels_last)
                if mode == "infer":
                    model.eval()

                    def step():
                        with torch.no_grad(): model(x)
                else:
                    model.train()

                    def step():
                        y = model(x)
                        if hasattr(y, "logits") and not language:
                            y = y.logits + 0.4 * y.aux_logits if hasattr(y, "aux_logits") and not hasattr(y, "aux_logits2") else y.logits
                        if language: y = y.logits if hasattr(y, "logits") else y.last_hidden_state
                        y.float().square().mean().backward()
                        model.zero_grad(set_to_none=True)
                n, s, p = timed(step, 0.8, 0.35)
                with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:
                    for _ in range(2): step()
                    torch.cuda.synchronize()
                busy = launches = 0
                for e in prof.events():
                    for k in e.kernels: busy += k.duration; launches += 1
                word = "bf16" if language and dtype == "bf16_nhwc" else dtype
                networks.writerow([name, size, batch, mode, word, n, f"{s:.4f}", f"{s / n * 1e3:.5f}", f"{busy / 2e3:.5f}",
                                   launches // 2] + p)
                for e in prof.key_averages(group_by_input_shape=True):
                    if e.self_device_time_total > 0 and e.key.startswith("aten"):
                        operations.writerow([name, batch, mode, word, e.key, str(e.input_shapes).replace(", ", " "),
                                             e.count / 2, f"{e.self_device_time_total / e.count:.2f}"])
                print(name, mode, dtype, batch, f"{s / n * 1e3:.2f} ms busy {busy / 2e3:.2f} ms {launches // 2} kernels", p, flush=True)
            except Exception as error:  # one network failing must not cost the others
                print(name, mode, dtype, batch, "failed:", str(error)[:200], flush=True)
            model = x = step = None
            torch.cuda.empty_cache()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    main()
