#!/usr/bin/env python3
"""Measures networks of families that the zoo does not have, in Python on the GPU of this machine, and changes nothing on it.

Writes each as an ONNX file without its weights (FOLDER/onnx/NAME.onnx), and families.csv, one row a configuration, in the
columns of networks_infer.csv: what `ergon predict FILE.onnx` says of a network that nobody ever measured can be held against it.

    measure_families.py FOLDER SECONDS [NAME,...]     begins no network after so long
"""
import csv, multiprocessing as mp, os, random, sys, time

from measure_python import COLUMNS, Bench, passes

TOKENS = 128


def plain(name):
    """Networks in a few lines of PyTorch: a U-Net, an MLP-Mixer, the generator of a DCGAN, autoencoders, convolutions over
    time, a recurrent language model, a multilayer perceptron, a residual network for small images, PyTorch's own encoder."""
    from torch import nn
    import torch

    def double(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.Conv2d(o, o, 3, padding=1),
                             nn.BatchNorm2d(o), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self, widths=(64, 128, 256, 512)):
            super().__init__()
            self.down = nn.ModuleList(double(i, o) for i, o in zip((3, *widths), widths))
            self.up = nn.ModuleList(nn.ConvTranspose2d(o, i, 2, 2) for i, o in zip(widths, widths[1:]))
            self.join = nn.ModuleList(double(2 * i, i) for i in widths[:-1])
            self.pool, self.last = nn.MaxPool2d(2), nn.Conv2d(widths[0], 2, 1)

        def forward(self, x):
            kept = []
            for i, stage in enumerate(self.down):
                x = stage(x if i == 0 else self.pool(x))
                kept.append(x)
            for i in reversed(range(len(self.up))):
                x = self.join[i](torch.cat([kept[i], self.up[i](x)], 1))
            return self.last(x)

    class Mixer(nn.Module):
        class Block(nn.Module):
            def __init__(self, patches, width):
                super().__init__()
                mlp = lambda n, hidden: nn.Sequential(nn.Linear(n, hidden), nn.GELU(), nn.Linear(hidden, n))
                self.a, self.b = nn.LayerNorm(width), nn.LayerNorm(width)
                self.patches, self.channels = mlp(patches, width // 2), mlp(width, width * 4)

            def forward(self, x):
                x = x + self.patches(self.a(x).transpose(1, 2)).transpose(1, 2)
                return x + self.channels(self.b(x))

        def __init__(self, width=512, blocks=8):
            super().__init__()
            self.stem = nn.Conv2d(3, width, 16, 16)
            self.blocks = nn.Sequential(*(Mixer.Block(196, width) for _ in range(blocks)))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 1000)

        def forward(self, x):
            return self.head(self.norm(self.blocks(self.stem(x).flatten(2).transpose(1, 2))).mean(1))

    def rise(i, o, first=False):
        return [nn.ConvTranspose2d(i, o, 4, 1 if first else 2, 0 if first else 1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]

    class Temporal(nn.Module):
        def __init__(self, width=256, blocks=8):
            super().__init__()
            self.stem = nn.Conv1d(40, width, 1)
            self.blocks = nn.ModuleList(nn.Sequential(
                nn.Conv1d(width, width, 3, padding=2 ** (i % 4), dilation=2 ** (i % 4)), nn.BatchNorm1d(width), nn.ReLU(),
                nn.Conv1d(width, width, 1)) for i in range(blocks))
            self.head = nn.Linear(width, 500)

        def forward(self, x):
            x = self.stem(x)
            for block in self.blocks: x = x + block(x)
            return self.head(x.transpose(1, 2))

    class Recurrent(nn.Module):
        def __init__(self, words=10000, width=512):
            super().__init__()
            self.table, self.cells = nn.Embedding(words, width), nn.LSTM(width, width, 2, batch_first=True)
            self.head = nn.Linear(width, words)

        def forward(self, x):
            return self.head(self.cells(self.table(x))[0])

    class Residual(nn.Module):
        def __init__(self, i, o, stride):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(),
                                      nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o))
            self.skip = nn.Sequential() if i == o else nn.Conv2d(i, o, 1, stride, bias=False)

        def forward(self, x):
            return torch.relu(self.body(x) + self.skip(x))

    if name == "temporal_convolutions": return Temporal()
    if name == "torch_encoder":
        layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, norm_first=True)
        return nn.Sequential(nn.Embedding(10000, 512), nn.TransformerEncoder(layer, 6, enable_nested_tensor=False))
    if name == "dense_autoencoder":
        widths = (3000, 2500, 1500, 700, 150, 700, 1500, 2500, 3000)
        return nn.Sequential(*(layer for i, o in zip(widths, widths[1:]) for layer in (nn.Linear(i, o), nn.ReLU())))
    if name == "lstm_language": return Recurrent()
    if name == "wide_perceptron":
        return nn.Sequential(*(layer for _ in range(6) for layer in (nn.Linear(2048, 2048), nn.ReLU())), nn.Linear(2048, 10))
    if name == "resnet_cifar":
        widths = (16, 64, 64, 64, 128, 128, 128, 256, 256, 256)
        return nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1), *(Residual(i, o, 2 if o > i > 16 else 1) for i, o in zip(widths, widths[1:])),
                             nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10))
    if name == "unet": return UNet()
    if name == "mlp_mixer_s16": return Mixer()
    if name == "dcgan_generator":
        return nn.Sequential(*rise(100, 1024, True), *rise(1024, 512), *rise(512, 256), *rise(256, 128),
                             nn.ConvTranspose2d(128, 3, 4, 2, 1), nn.Tanh())
    fall = lambda i, o: [nn.Conv2d(i, o, 3, 2, 1), nn.LeakyReLU(0.1)]
    return nn.Sequential(*fall(3, 64), *fall(64, 128), *fall(128, 256), *fall(256, 512), *rise(512, 256), *rise(256, 128),
                         *rise(128, 64), nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Sigmoid())


def networks():
    """By name: how it is built, what one sample is, and the batches."""
    import torch
    import torchvision.models as tv
    import transformers as hf

    text = lambda make, config: (lambda: make(config), "text", (TOKENS,), (32,))
    image = lambda make, side=224, batches=(32, 128): (make, "image", (3, side, side), batches)
    seg = lambda make: image(lambda: make(weights=None, weights_backbone=None), 256, (32,))
    return {
        "fcn_resnet50": seg(tv.segmentation.fcn_resnet50),
        "deeplabv3_mobilenet_v3_large": seg(tv.segmentation.deeplabv3_mobilenet_v3_large),
        "lraspp_mobilenet_v3_large": seg(tv.segmentation.lraspp_mobilenet_v3_large),
        "maxvit_t": image(lambda: tv.maxvit_t(weights=None)),
        "r3d_18": (lambda: tv.video.r3d_18(weights=None), "image", (3, 16, 112, 112), (32,)),
        "convnextv2_tiny": image(lambda: hf.ConvNextV2Model(hf.ConvNextV2Config())),
        "segformer_b0": image(lambda: hf.SegformerModel(hf.SegformerConfig())),
        "mobilevit_s": image(lambda: hf.MobileViTModel(hf.MobileViTConfig()), 256),
        "poolformer_s12": image(lambda: hf.PoolFormerModel(hf.PoolFormerConfig())),
        "deit_small": image(lambda: hf.ViTModel(hf.ViTConfig(hidden_size=384, num_attention_heads=6, intermediate_size=1536))),
        "beit_base": image(lambda: hf.BeitModel(hf.BeitConfig())),
        "cvt_13": image(lambda: hf.CvtModel(hf.CvtConfig())),
        "dinov2_small": image(lambda: hf.Dinov2Model(hf.Dinov2Config(hidden_size=384, num_attention_heads=6))),
        "unet": image(lambda: plain("unet"), 128),
        "mlp_mixer_s16": image(lambda: plain("mlp_mixer_s16")),
        "autoencoder": image(lambda: plain("autoencoder"), 128),
        "dcgan_generator": (lambda: plain("dcgan_generator"), "image", (100, 1, 1), (32, 128)),
        "roberta_base": text(hf.RobertaModel, hf.RobertaConfig()),
        "bert_large": text(hf.BertModel, hf.BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
                                                       intermediate_size=4096)),
        "albert_base": text(hf.AlbertModel, hf.AlbertConfig(hidden_size=768, num_attention_heads=12, intermediate_size=3072)),
        "electra_small": text(hf.ElectraModel, hf.ElectraConfig()),
        "mpnet_base": text(hf.MPNetModel, hf.MPNetConfig()),
        "t5_small_encoder": text(hf.T5EncoderModel, hf.T5Config()),
        "opt_125m": text(hf.OPTModel, hf.OPTConfig()),
        "gpt_neo_125m": text(hf.GPTNeoModel, hf.GPTNeoConfig(hidden_size=768, num_layers=12, num_heads=12,
                                                             attention_types=[[["global", "local"], 6]])),
        "llama_300m": text(hf.LlamaModel, hf.LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=16,
                                                         num_attention_heads=16, num_key_value_heads=4)),
        "qwen2_500m": text(hf.Qwen2Model, hf.Qwen2Config(hidden_size=896, intermediate_size=4864, num_hidden_layers=24,
                                                         num_attention_heads=14, num_key_value_heads=2)),
        "swin_tiny_hf": image(lambda: hf.SwinModel(hf.SwinConfig())),
        "pvt_tiny": image(lambda: hf.PvtModel(hf.PvtConfig())),
        "levit_128s": image(lambda: hf.LevitModel(hf.LevitConfig())),
        "mobilenet_v1_hf": image(lambda: hf.MobileNetV1Model(hf.MobileNetV1Config())),
        "s3d": (lambda: tv.video.s3d(weights=None), "image", (3, 16, 224, 224), (8,)),
        "resnet_cifar": image(lambda: plain("resnet_cifar"), 32, (128, 512)),
        "temporal_convolutions": (lambda: plain("temporal_convolutions"), "sound", (40, 1000), (32,)),
        "wide_perceptron": (lambda: plain("wide_perceptron"), "sound", (2048,), (512, 4096)),
        "lstm_language": (lambda: plain("lstm_language"), "text", (TOKENS,), (32,)),
        "xlm_roberta_small": text(hf.XLMRobertaModel, hf.XLMRobertaConfig(hidden_size=384, num_attention_heads=6,
                                                                          intermediate_size=1536, vocab_size=32000)),
        "deberta_v2_small": text(hf.DebertaV2Model, hf.DebertaV2Config(hidden_size=768, num_hidden_layers=6,
                                                                       num_attention_heads=12, intermediate_size=3072,
                                                                       relative_attention=True, pos_att_type="c2p|p2c")),
        "falcon_small": text(hf.FalconModel, hf.FalconConfig(hidden_size=1024, num_hidden_layers=12, num_attention_heads=16)),
        "phi_small": text(hf.PhiModel, hf.PhiConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=12,
                                                    num_attention_heads=16)),
        "mistral_small": text(hf.MistralModel, hf.MistralConfig(hidden_size=1024, intermediate_size=3584, num_hidden_layers=12,
                                                                num_attention_heads=16, num_key_value_heads=4)),
        "gemma_small": text(hf.GemmaModel, hf.GemmaConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=12,
                                                          num_attention_heads=8, num_key_value_heads=1, head_dim=128,
                                                          vocab_size=32000)),
        "distilbert_base": text(hf.DistilBertModel, hf.DistilBertConfig()),
        "gpt_neox_small": text(hf.GPTNeoXModel, hf.GPTNeoXConfig(hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
                                                                 intermediate_size=3072)),
        "bloom_small": text(hf.BloomModel, hf.BloomConfig(hidden_size=768, n_layer=12, n_head=12, vocab_size=32000)),
        "focalnet_tiny": image(lambda: hf.FocalNetModel(hf.FocalNetConfig())),
        "resnet50_hf": image(lambda: hf.ResNetModel(hf.ResNetConfig())),
        "mobilenet_v2_hf": image(lambda: hf.MobileNetV2Model(hf.MobileNetV2Config())),
        "torch_encoder": (lambda: plain("torch_encoder"), "text", (TOKENS,), (32, 128)),
        "dense_autoencoder": (lambda: plain("dense_autoencoder"), "sound", (3000,), (512, 4096)),
        "resnet50_gn": image(lambda: tv.resnet50(weights=None, norm_layer=lambda c: torch.nn.GroupNorm(32, c))),
        "wav2vec2_base": (lambda: hf.Wav2Vec2Model(hf.Wav2Vec2Config()), "sound", (16000,), (32,)),
    }


def input_of(kind, sample, batch, dtype, where):
    import torch
    if kind == "text": return torch.randint(0, 1000, (batch, *sample), device=where)
    return torch.randn(batch, *sample, device=where, dtype=dtype)


def answer_of(y):
    """The one tensor that a loss is computed from."""
    if hasattr(y, "last_hidden_state"): return y.last_hidden_state
    return y["out"] if isinstance(y, dict) else y


def built(make):
    model = make()
    if hasattr(model, "config"): model.config.use_cache = False
    return model


def export(work):
    """One network as files; what went wrong, if anything."""
    import io, contextlib, onnx, torch
    name, folder = work
    make, kind, sample, _ = networks()[name]

    class Answer(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, x):
            return answer_of(self.model(x))

    torch.set_num_threads(2)
    wrapped = Answer(built(make).eval())
    said = ""
    for opset in (13, 17):  # as exporters wrote files for years
        path = f"{folder}/{name}.opset{opset}.onnx"
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                torch.onnx.export(wrapped, (input_of(kind, sample, 2, torch.float32, "cpu"),), path, dynamo=False,
                                  opset_version=opset, input_names=["x"], dynamic_axes={"x": {0: "batch"}},
                                  training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
            onnx.save(onnx.load(path), path, save_as_external_data=True, location=f"{name}.{opset}.data", size_threshold=1024)
        except Exception as error:
            said += f" opset {opset}: {str(error)[:150]!r}."
            if os.path.exists(path): os.remove(path)
    for optimize, ending in ((True, ""), (False, ".raw")):
        for batch in (torch.export.Dim("batch", min=1, max=4096), None):
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    torch.onnx.export(wrapped, (input_of(kind, sample, 2, torch.float32, "cpu"),), f"{folder}/{name}{ending}.onnx",
                                      dynamo=True, external_data=True, optimize=optimize, opset_version=20, verbose=False,
                                      dynamic_shapes=({0: batch},) if batch else None)
                said += "" if batch else f" {ending or 'plain'}: batch is fixed."
                break
            except Exception as error:
                said += f" {ending or 'plain'}: {str(error)[:150]!r}."
    for file in os.listdir(folder):
        if file.startswith(name) and file.endswith(".data"): os.remove(f"{folder}/{file}")
    return name, said


def main():
    folder, deadline = sys.argv[1], time.time() + float(sys.argv[2])
    os.makedirs(f"{folder}/onnx", exist_ok=True)
    wanted = sys.argv[3].split(",") if len(sys.argv) > 3 else list(networks())
    with mp.Pool(8, maxtasksperchild=2) as pool:
        for name, said in pool.imap_unordered(export, [(name, f"{folder}/onnx") for name in wanted], 1):
            if said: print("export", name, said, flush=True)
    bench = Bench()
    import torch
    out = open(f"{folder}/families.csv", "w", newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    random.Random(7).shuffle(wanted)
    for name in wanted:
        if time.time() > deadline: break
        try:
            make, kind, sample, batches = networks()[name]
            torch.manual_seed(0)
            model = built(make)
            for dtype, number in (("tf32conv", torch.float32), ("bf16_nhwc", torch.bfloat16)):
                model = model.to("cuda", number)
                turned = dtype == "bf16_nhwc" and kind == "image" and len(sample) == 3
                if turned: model = model.to(memory_format=torch.channels_last)
                for batch in batches:
                    x = input_of(kind, sample, batch, number, "cuda")
                    if turned: x = x.to(memory_format=torch.channels_last)
                    for mode, step in passes(model, x, answer_of):
                        word = dtype if turned or dtype == "tf32conv" else "bf16"
                        writer.writerow(bench.row(name, sample[-1], batch, mode, word, step))
                        out.flush()
        except Exception as error:  # one network failing must not cost the others
            print(name, "failed:", str(error)[:300], flush=True)
        model = x = None
        torch.cuda.empty_cache()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    main()
