#include "service/api/endpoint.h"

namespace ergon::service {
namespace {

using Kind = Parameter::Kind;

// Values of lists that are combined with each other. Documents stay small then: a roofline of a layer takes
// 1 kB, a batch on a device 100 kB.
constexpr std::size_t kMaxRoofs = 8;
constexpr std::size_t kMaxDevices = 12, kMaxBatches = 9;

constexpr Parameter kNetwork{"network", Kind::network, "a name from /zoo", true};
constexpr Parameter kSize{"size", Kind::number, "side of the input image in pixels (default: the network's)"};
constexpr Parameter kSequence{"sequence", Kind::number,
                              "tokens per sample, for language models (default: the network's)"};
constexpr Parameter kBatch{"batch", Kind::number, "samples per iteration (default: 1)"};
constexpr Parameter kMode{"mode", Kind::text, "inference or training (default: inference)"};
constexpr Parameter kHost{"host", Kind::text, "launch host: python, transformers or native"};
constexpr Parameter kTwin{"device", Kind::text, "a name from /devices", true};
constexpr Parameter kClock{"clock", Kind::text, "core clock, for example 900MHz (default: unlocked)"};
constexpr Parameter kPowerLimit{"power-limit", Kind::text,
                                "power limit, for example 250W (default: the board's)"};
constexpr Parameter kAccelerator{"accelerator", Kind::text, "systolic array, for example edge-tpu"};
constexpr Parameter kMemory{"memory", Kind::text, "memory of the array, for example hbm2"};
constexpr Parameter kBandwidth{"bandwidth", Kind::text,
                               "words per cycle, or a rate such as 28GB/s; replaces memory"};
constexpr Parameter kSlack{"slack", Kind::text, "extra time beyond race to idle, for example 2%"};

std::vector<Endpoint> all_endpoints() {
  const Parameter precision = precision_parameter();
  return {
      {"/version", {"--version"}, "ergon.version/2", "version and build", {}, true, false},
      {"/zoo", {"zoo"}, "ergon.zoo/1", "the built-in networks", {}, true, false},
      {"/devices",
       {"devices"},
       "ergon.devices/2",
       "GPUs and processors of this machine, and the twins",
       {},
       false,
       false},
      {"/inspect",
       {"inspect"},
       "ergon.inspect/1",
       "layers, operations and costs of a network",
       {kNetwork, kSize, kSequence, kBatch, kMode}},
      {"/roofline",
       {"roofline"},
       "ergon.roofline/1",
       "compute-bound and memory-bound layers on a systolic array",
       {kNetwork,
        kSize,
        kAccelerator,
        kMemory,
        {"tops", Kind::text, "peak rates in TOPS, for example 2,4", false, kMaxRoofs},
        {"bandwidths", Kind::text, "memory bandwidths in GB/s, for example 10,20", false, kMaxRoofs}}},
      {"/estimate",
       {"estimate"},
       "ergon.estimate/2",
       "time, power and energy from a twin",
       {kNetwork, kSize, kSequence, kTwin, kBatch, kMode, precision, kClock, kPowerLimit}},
      {"/predict",
       {"predict"},
       "ergon.predict/2",
       "predicted time, power and energy of a network, with 90 % intervals",
       {kNetwork,
        kSize,
        kSequence,
        kTwin,
        kBatch,
        kMode,
        precision,
        kHost,
        kClock,
        kPowerLimit,
        {"curves", Kind::flag, "add curves over the clock for several batches and precisions"}}},
      {"/tune",
       {"tune"},
       "ergon.tune/2",
       "operating point that minimizes the objective",
       {kNetwork,
        kSize,
        kSequence,
        {"device", Kind::text, "names from /devices, separated by commas", true, kMaxDevices},
        {"objective", Kind::text, "energy, energy-delay, time or price (default: energy)"},
        {"max-latency", Kind::text, "max time per iteration, for example 20ms"},
        {"min-throughput", Kind::number, "min samples per second"},
        {"max-power", Kind::text, "max power, for example 200W"},
        {"batch", Kind::text, "batches to try, for example 1,8,32", false, kMaxBatches},
        {"power-limit", Kind::text, "power limits to try, or default", false, kMaxBatches},
        kMode,
        precision,
        kHost,
        {"price-kwh", Kind::number, "price per kWh"},
        {"price-gpu-hour", Kind::text, "price per GPU hour", false, kMaxDevices},
        {"carbon", Kind::number, "grams of CO2 per kWh"}}},
      {"/simulate",
       {"simulate"},
       "ergon.simulate/2",
       "cycles and energy of a network on a systolic array",
       {kNetwork,
        kSize,
        kAccelerator,
        kMemory,
        {"array", Kind::text, "ROWSxCOLS, for example 32x32"},
        {"dataflow", Kind::text, "os, ws or is"},
        kBandwidth,
        {"semantics", Kind::text, "timing rules: v3, v2, v2-2021 or ergon"}}},
      {"/allocate",
       {"allocate"},
       "ergon.allocate/2",
       "a clock and a bandwidth for every layer on a systolic array",
       {kNetwork,
        kSize,
        {"scheme", Kind::text, "scheme, for example optimal-split"},
        kSlack,
        kAccelerator,
        kMemory,
        kBandwidth}},
      {"/allocate/gpu",
       {"allocate"},
       "ergon.allocate.gpu/2",
       "a clock for every operation on a GPU",
       {kNetwork,
        kSize,
        kSequence,
        {"scheme", Kind::text, "scheme, for example optimal"},
        kSlack,
        kTwin,
        kBatch,
        kMode,
        precision,
        {"switch-time", Kind::text, "duration of a clock switch, for example 1ms"}}},
      {"/allocate/compare",
       {"allocate", "compare"},
       "ergon.allocate.compare/1",
       "comparison of all schemes",
       {kNetwork, kSize, kSlack, kAccelerator, kMemory, kBandwidth}},
  };
}

}  // namespace

const std::vector<Endpoint>& endpoints() {
  static const std::vector<Endpoint> all = all_endpoints();
  return all;
}

}  // namespace ergon::service
