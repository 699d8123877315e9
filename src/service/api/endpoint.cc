#include "service/api/endpoint.h"

namespace ergon::service {
namespace {

using Kind = Parameter::Kind;

constexpr Parameter kNetwork{"network", Kind::network, "a name from /zoo", true};
constexpr Parameter kSize{"size", Kind::number, "side of the input image"};
constexpr Parameter kSequence{"sequence", Kind::number, "tokens, for language models"};
constexpr Parameter kBatch{"batch", Kind::number, "samples in one pass"};
constexpr Parameter kMode{"mode", Kind::text, "inference or training"};
constexpr Parameter kPrecision{"precision", Kind::text, "tf32, fp32, bf16 or fp16"};
constexpr Parameter kHost{"host", Kind::text, "who asks for the kernels: python or native"};
constexpr Parameter kTwin{"device", Kind::text, "a name from /devices", true};
constexpr Parameter kClock{"clock", Kind::text, "core clock, as 900MHz"};
constexpr Parameter kLimit{"limit", Kind::text, "power limit, as 250W"};
constexpr Parameter kAccelerator{"accelerator", Kind::text, "a systolic array, as edge-tpu"};
constexpr Parameter kMemory{"memory", Kind::text, "of the array, as hbm2"};
constexpr Parameter kBandwidth{"bandwidth", Kind::text,
                               "words a cycle or a rate (28GB/s), in place of a memory"};
constexpr Parameter kSlack{"slack", Kind::text, "time beyond race to idle's to spend, as 2%"};

std::vector<Endpoint> all_endpoints() {
  return {
      {"/version", {"--version"}, "ergon.version/1", "what this program is", {}},
      {"/zoo", {"zoo"}, "ergon.zoo/1", "the built-in networks", {}},
      {"/devices",
       {"devices"},
       "ergon.devices/1",
       "GPUs and processors of this machine, and the twins",
       {},
       false},
      {"/inspect",
       {"inspect"},
       "ergon.inspect/1",
       "what a network is made of and what it costs",
       {kNetwork, kSize, kSequence, kBatch, kMode}},
      {"/roofline",
       {"roofline"},
       "ergon.roofline/1",
       "which layers of a network wait for memory, on a systolic array",
       {kNetwork,
        kSize,
        kAccelerator,
        kMemory,
        {"tops", Kind::text, "peaks in TOPS, as 2,4"},
        {"bandwidths", Kind::text, "in GB/s, as 10,20"}}},
      {"/estimate",
       {"estimate"},
       "ergon.estimate/1",
       "time, power and energy by a GPU's twin",
       {kNetwork,
        kSize,
        kSequence,
        kTwin,
        kBatch,
        kMode,
        kPrecision,
        kClock,
        {"power-limit", Kind::text, "as 250W"}}},
      {"/predict",
       {"predict"},
       "ergon.predict/1",
       "time, power and energy of a network that was never run there, with intervals",
       {kNetwork,
        kSize,
        kSequence,
        kTwin,
        kBatch,
        kMode,
        kPrecision,
        kHost,
        kClock,
        kLimit,
        {"curves", Kind::flag, "over the clock as well, for several batches and precisions"}}},
      {"/tune",
       {"tune"},
       "ergon.tune/1",
       "the clock, batch, power limit and device that cost least",
       {kNetwork,
        kSize,
        kSequence,
        {"device", Kind::text, "names from /devices, with commas", true},
        {"objective", Kind::text, "energy, energy-delay, time or price"},
        {"latency", Kind::text, "of an iteration, at most, as 20ms"},
        {"throughput", Kind::number, "samples a second, at least"},
        {"power", Kind::text, "while it runs, at most, as 200W"},
        {"batch", Kind::text, "batches to try, as 1,8,32"},
        {"limits", Kind::text, "power limits to try, or usual"},
        kMode,
        kPrecision,
        kHost,
        {"price-kwh", Kind::number, "price of a kilowatt-hour"},
        {"price-gpu-hour", Kind::text, "price of a GPU for an hour"},
        {"carbon", Kind::number, "grams of CO2 a kilowatt-hour"}}},
      {"/simulate",
       {"simulate"},
       "ergon.simulate/1",
       "a network on a systolic array",
       {kNetwork,
        kSize,
        kAccelerator,
        kMemory,
        {"array", Kind::text, "rows and columns, as 32x32"},
        {"dataflow", Kind::text, "os, ws or is"},
        kBandwidth,
        {"semantics", Kind::text, "v3, v2, v2-2021 or ergon"}}},
      {"/allocate",
       {"allocate"},
       "ergon.allocate/1",
       "a clock and a bandwidth for every layer of a network on a systolic array",
       {kNetwork,
        kSize,
        {"scheme", Kind::text, "as optimal-split"},
        kSlack,
        kAccelerator,
        kMemory,
        kBandwidth}},
      {"/allocate/gpu",
       {"allocate"},
       "ergon.allocate.gpu/1",
       "a clock for every operation of a network on a GPU",
       {kNetwork,
        kSize,
        kSequence,
        {"scheme", Kind::text, "as optimal"},
        kSlack,
        kTwin,
        kBatch,
        kMode,
        kPrecision,
        {"switch-time", Kind::text, "a change of clock takes, as 1ms"}}},
      {"/allocate/compare",
       {"allocate", "compare"},
       "ergon.allocate.compare/1",
       "all schemes side by side",
       {kNetwork, kSize, kSlack, kAccelerator, kMemory, kBandwidth}},
  };
}

}  // namespace

const std::vector<Endpoint>& endpoints() {
  static const std::vector<Endpoint> all = all_endpoints();
  return all;
}

}  // namespace ergon::service
