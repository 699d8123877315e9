#include "predict/learn/features.h"

#include <algorithm>
#include <cmath>

namespace ergon::predict {
namespace {

constexpr std::array<std::string_view, 31> kKinds{
    "conv",
    "depthwise_conv",
    "dense",
    "matmul",
    "attention",
    "softmax",
    "batch_norm",
    "layer_norm",
    "max_pool",
    "average_pool",
    "adaptive_average_pool",
    "reduce_mean",
    "relu",
    "relu6",
    "gelu",
    "swish",
    "hard_swish",
    "sigmoid",
    "add",
    "multiply",
    "concat",
    "transpose",
    "dropout",
    "embedding",
    "identity",
    "group_norm",
    "transposed_conv",
    "einsum",
    "pad",
    "divide",
    "reduce_norm",
};

struct Tile {
  double m, n;
};
constexpr std::array<Tile, 3> kTiles{{{128, 128}, {64, 64}, {256, 64}}};

double log_of(double value) { return value > 0 ? std::log2(value) : -1; }
// For values far below 1: times and energies.
double small_log(double value) { return std::log2(std::max(value, 1e-12)); }
double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

struct Totals {
  double flops = 0, traffic = 0;
};
Totals totals_of(const std::vector<device::Kernel>& kernels) {
  Totals totals;
  for (const device::Kernel& kernel : kernels) {
    totals.flops += kernel.flops;
    totals.traffic += kernel.traffic.si();
  }
  return totals;
}

// The forward matrix product, if the task has one.
const device::Kernel* product_of(const Task& task) {
  for (const device::Kernel& kernel : task.forward) {
    if (kernel.kind == device::KernelKind::product || kernel.convolution) return &kernel;
  }
  return nullptr;
}

// Collects names and values together, so that they stay in step.
class Sheet {
 public:
  void put(std::string_view name, double value) {
    names.push_back(name);
    values.push_back(static_cast<float>(value));
  }
  std::vector<std::string_view> names;
  std::vector<float> values;
};

void put_kind(Sheet& sheet, const Task& task, const WorkloadConfig& config,
              const device::Specification& gpu) {
  for (const std::string_view kind : kKinds) sheet.put(kind, task.kind == kind ? 1 : 0);
  sheet.put("other", has_own_flag(task.kind) ? 0 : 1);
  sheet.put("training", config.mode == graph::Mode::training ? 1 : 0);
  // Without TF32 units, tf32 is computed as fp32.
  const bool plain =
      config.precision == device::Precision::fp32 ||
      (config.precision == device::Precision::tf32 && !gpu.peak_tflops.contains(device::Precision::tf32));
  sheet.put("plain_numbers", plain ? 1 : 0);
  sheet.put("half_numbers", device::bytes_of(config.precision) == 2 ? 1 : 0);
}

// Libraries have fast kernels for groups of 4, 8, 16, ... channels. In 16 bits on an H200 these reach 60 to
// 600 TFLOP/s; groups of 24, 48, 56, 112 or 120 channels reach 10 to 50 (data/measured/h200-wide).
double roundness_of(const Geometry& geometry) {
  if (geometry.groups <= 1 || geometry.groups >= geometry.channels) return -1;
  const double power = std::log2(geometry.channels / geometry.groups);
  return power >= 2 && power == std::floor(power) ? 1 : 0;
}

void put_geometry(Sheet& sheet, const Geometry& geometry) {
  sheet.put("batch", log_of(geometry.batch));
  sheet.put("channels", log_of(geometry.channels));
  sheet.put("height", log_of(geometry.height));
  sheet.put("width", log_of(geometry.width));
  sheet.put("out_channels", log_of(geometry.out_channels));
  sheet.put("kernel", log_of(geometry.kernel));
  sheet.put("stride", log_of(geometry.stride));
  sheet.put("groups", log_of(geometry.groups));
  sheet.put("inputs", geometry.inputs);
  sheet.put("input_elements", log_of(geometry.input_elements));
  sheet.put("output_elements", log_of(geometry.output_elements));
  sheet.put("weights", log_of(geometry.weights));
  const double groups = std::max(1.0, geometry.groups);
  sheet.put("channels_in_group", log_of(geometry.channels / groups));
  sheet.put("out_channels_in_group", log_of(geometry.out_channels / groups));
  sheet.put("odd_channels", std::fmod(geometry.channels, 8) > 0 ? 1 : 0);
  sheet.put("odd_out_channels", std::fmod(geometry.out_channels, 8) > 0 ? 1 : 0);
  sheet.put("uneven_channels", std::fmod(geometry.channels, 32) > 0 ? 1 : 0);
  sheet.put("uneven_out_channels", std::fmod(geometry.out_channels, 32) > 0 ? 1 : 0);
  sheet.put("round_groups", roundness_of(geometry));
}

// Tiles of a matrix product: number of waves over the multiprocessors, and how full the waves are.
void put_waves(Sheet& sheet, const Task& task, const device::Specification& gpu) {
  constexpr std::array<std::string_view, 3> kWaves{"waves_128x128", "waves_64x64", "waves_256x64"};
  constexpr std::array<std::string_view, 3> kFull{"full_128x128", "full_64x64", "full_256x64"};
  const device::Kernel* kernel = product_of(task);
  const device::ProductShape shape = kernel == nullptr ? device::ProductShape{0, 0, 0, 0} : kernel->product;
  sheet.put("product_m", log_of(shape.m));
  sheet.put("product_n", log_of(shape.n));
  sheet.put("product_k", log_of(shape.k));
  sheet.put("products", log_of(shape.count));
  sheet.put("winograd", kernel != nullptr && kernel->winograd ? 1 : 0);
  const auto chips = static_cast<double>(gpu.multiprocessors);
  for (std::size_t i = 0; i < kTiles.size(); ++i) {
    const double tiles =
        std::ceil(shape.m / kTiles[i].m) * std::ceil(shape.n / kTiles[i].n) * std::max(1.0, shape.count);
    sheet.put(kWaves[i], log_of(tiles / chips));
    sheet.put(kFull[i], share(tiles / chips, std::ceil(tiles / chips)));
  }
}

void put_physics(Sheet& sheet, const Task& task, const TaskEstimate& estimate, const Settled& settled,
                 const device::Specification& gpu) {
  const Totals forward = totals_of(task.forward), backward = totals_of(task.backward);
  sheet.put("flops", log_of(forward.flops));
  sheet.put("traffic", log_of(forward.traffic));
  sheet.put("intensity", small_log(share(forward.flops, forward.traffic)));
  sheet.put("back_flops", log_of(backward.flops));
  sheet.put("back_traffic", log_of(backward.traffic));
  sheet.put("in_cache", small_log(share(forward.traffic, gpu.memory.cache.si())));
  const device::Activity highest = estimate.at(gpu.core.max, gpu);
  const double time = highest.gpu.si();
  sheet.put("time", small_log(time));
  sheet.put("core_time", small_log(highest.cores.si()));
  sheet.put("memory_time", small_log(highest.memory.si()));
  sheet.put("core_share", share(highest.cores.si(), time));
  sheet.put("memory_share", share(highest.memory.si(), time));
  sheet.put("floor_share",
            std::clamp(1 - share(std::max(highest.cores, highest.memory).si(), time), 0.0, 1.0));
  sheet.put("busy_share", share(highest.busy.si(), time));
  sheet.put("work", small_log(highest.work.si()));
  sheet.put("transfers", small_log(highest.transfers.si()));
  sheet.put("power", device::equilibrium_of(highest, gpu, gpu.core.max).power.si());
  sheet.put("settled_time", small_log(settled.activity.gpu.si()));
  sheet.put("settled_power", settled.power.si());
  sheet.put("settled_clock", (settled.clock / gpu.core.max).si());
}

Sheet sheet_of(const Task& task, const TaskEstimate& estimate, const Settled& settled,
               const WorkloadConfig& config, const device::Specification& gpu) {
  Sheet sheet;
  put_kind(sheet, task, config, gpu);
  put_geometry(sheet, task.geometry);
  put_waves(sheet, task, gpu);
  put_physics(sheet, task, estimate, settled, gpu);
  return sheet;
}

const std::vector<std::string_view>& names() {
  static const std::vector<std::string_view> all = [] {
    const device::Specification gpu;
    const Task task;
    const TaskEstimate estimate(task, device::Precision::tf32, gpu);
    return sheet_of(task, estimate, {}, {}, gpu).names;
  }();
  return all;
}

}  // namespace

std::vector<std::string_view> feature_names() { return names(); }
std::size_t feature_count() { return names().size(); }

bool has_own_flag(std::string_view kind) {
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

std::vector<float> features_of(const Task& task, const TaskEstimate& estimate, const Settled& settled,
                               const WorkloadConfig& config, const device::Specification& gpu) {
  return sheet_of(task, estimate, settled, config, gpu).values;
}

}  // namespace ergon::predict
