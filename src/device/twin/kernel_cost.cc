// Time and energy of a kernel by a roofline model (compute and memory) with efficiency factors.
//
// A matrix product is split into tiles, one per multiprocessor at a time. The GPU works in waves, and the
// last wave is rarely full (wave quantization). Large tiles reuse operands better, small tiles fill the GPU
// better, and a long inner loop can be split among several tiles (split-K). Like cuBLAS heuristics, the model
// uses the fastest combination. It uses CUDA cores where tensor cores would be slower.
//
// A part of the traffic hits the L2 cache, which still holds output of the previous kernel. The share falls
// with the traffic of the kernel.

#include "device/twin/kernel_cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ergon::device {
namespace {

struct Tile {
  double m, n;
};
constexpr std::array<Tile, 7> kTiles{
    {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}, {64, 32}}};
constexpr double kLargestTile = 256.0 * 128;
constexpr std::array<double, 7> kCuts{1, 2, 4, 8, 16, 32, 64};

// CUDA cores need less operand reuse than tensor cores, so that small tiles cost them less.
constexpr double kSimtFalloff = 0.25;
// Shorter inner loops are not split.
constexpr double kMinInnerSteps = 128;
// Depthwise convolutions slow down with the side length of their window, and their gradients with its square.
constexpr double kDepthwiseSide = 3;
// Factors for 16-bit data. The time of gather kernels depends on elements rather than bytes; row kernels lose
// some bandwidth; depthwise convolutions use a better layout. From operators inside networks on an H200
// (data/reference/h200/operators.csv).
constexpr double kGatherInHalf = 0.35, kRowsInHalf = 0.7, kDepthwiseInHalf = 2;

// Minimum multiprocessor cycles per row. On an H200, layer norms of 96 and 128 channels take 1.1 ns per row
// in 16 bits, 1.5 ns in 32 bits and 1.1 ns in the backward pass (data/measured/h200*).
constexpr Cycles kRowInHalf{290}, kRowInFull{385}, kRowBackward{280};

// Group norm: one thread block per group of a sample, one cycle per element, four resident blocks per
// multiprocessor. 32 groups of 200,000 elements take about 100 us on an H200 (data/measured/h200-families).
constexpr Cycles kCyclesPerElement{1};
constexpr double kBlocksPerMultiprocessor = 4;

// Broadcasting computes the operand index of every element: 366 billion per second on an H200, for all
// operations (data/measured/h200*).
constexpr Cycles kCyclesPerIndex{0.71};
// Factor on the 16-bit tensor core rate if rows are not a multiple of 16 bytes: such products reach 100 to
// 240 TFLOP/s on an H200, aligned ones of that size 250 to 650 (data/measured/h200-families,
// data/reference/h200/families_operators.csv).
constexpr double kUnalignedInHalf = 0.35;

constexpr double kTera = 1e12;
// Traffic that keeps one multiprocessor busy in a memory-bound kernel.
constexpr double kBytesPerMultiprocessor = 64.0 * 1024;
// Lower bound on the occupancy of kernels that are not matrix products.
constexpr double kMinOccupancy = 0.05;

struct Rate {
  double peak_tflops = 1, share = 1;
  Joules per_flop;
  bool matrix_units = true;
};

double peak_of(Precision precision, const Specification& gpu) {
  const auto found = gpu.peak_tflops.find(precision);
  return found == gpu.peak_tflops.end() ? 0.0 : found->second;
}

Rate simt_rate(const Specification& gpu) {
  return {peak_of(Precision::fp32, gpu), gpu.kernels.simt, gpu.power.simt_flop, false};
}

// The tensor core rate, if the GPU has tensor cores for this kernel and precision.
std::optional<Rate> tensor_rate(const Kernel& kernel, Precision precision, const Specification& gpu) {
  const bool fits = kernel.kind == KernelKind::product && precision != Precision::fp32 &&
                    (precision != Precision::tf32 || kernel.convolution);
  if (!fits || peak_of(precision, gpu) <= 0) return std::nullopt;
  if (precision == Precision::tf32)
    return Rate{peak_of(precision, gpu), gpu.kernels.tensor, gpu.power.tensor_flop};
  return Rate{peak_of(precision, gpu), gpu.kernels.half, gpu.power.half_flop};
}

struct Tiling {
  double cycles = 0;
  double occupancy = 1;
};

// `rate`: multiply-adds per cycle of one multiprocessor with the largest tile.
Tiling best_tiling(const Kernel& kernel, double rate, double falloff, const Specification& gpu) {
  const ProductShape& product = kernel.product;
  const auto chips = static_cast<double>(gpu.multiprocessors);
  Tiling best;
  for (const Tile tile : kTiles) {
    const double area = tile.m * tile.n;
    const double efficiency = std::pow(area / kLargestTile, falloff);
    const double latency = gpu.kernels.tile_latency * std::sqrt(area / kLargestTile);
    const double tiles =
        std::ceil(product.m / tile.m) * std::ceil(product.n / tile.n) * std::max(1.0, product.count);
    for (const double cuts : kCuts) {
      if (cuts > 1 && (!kernel.split_k || product.k / cuts < kMinInnerSteps)) break;
      const double waves = std::ceil(tiles * cuts / chips);
      const double cycles = waves * (area * product.k / cuts / (rate * efficiency) + latency);
      if (best.cycles <= 0 || cycles < best.cycles) best = {cycles, tiles * cuts / (waves * chips)};
    }
  }
  return best;
}

double cached_share(Bytes traffic, const Specification& gpu) {
  if (traffic <= Bytes{0}) return 1;
  const double fits = (gpu.memory.cache * gpu.kernels.cache_share / traffic).si();
  return std::min(1.0, fits * fits);
}

bool uses_winograd(const Kernel& kernel, const Rate& rate) {
  return kernel.kind == KernelKind::product && kernel.winograd && !rate.matrix_units;
}

bool changes_layout(const Kernel& kernel, Precision precision, const Rate& rate) {
  return kernel.kind == KernelKind::product && kernel.convolution && !kernel.pointwise &&
         precision == Precision::tf32 && rate.matrix_units;
}

// Share of the bandwidth of streaming kernels.
double share_of_stream(const Kernel& kernel, Precision precision, const KernelModel& model) {
  const bool half = bytes_of(precision) == 2;
  switch (kernel.kind) {
    case KernelKind::product:
    case KernelKind::stream:
      return 1;
    case KernelKind::norm:
      return model.norm;
    case KernelKind::rows:
      return model.rows * (half ? kRowsInHalf : 1);
    case KernelKind::gather:
      return model.gather * (half ? kGatherInHalf : 1);
    case KernelKind::grouped:
      return model.grouped;
    case KernelKind::depthwise: {
      const double wider = std::min(1.0, kDepthwiseSide / kernel.side);
      return std::min(1.0, model.depthwise * (half ? kDepthwiseInHalf : 1)) *
             (kernel.backward ? model.depthwise_backward * wider * wider : wider);
    }
  }
  return 1;
}

// Share of the peak rate that this kind of matrix product reaches.
double share_of_peak(const Kernel& kernel, Precision precision, const Rate& rate, const KernelModel& model) {
  double share = rate.share;
  if (uses_winograd(kernel, rate)) share *= model.winograd;
  if (kernel.backward) share *= model.backward;
  if (!rate.matrix_units) return share;
  if (kernel.unaligned && bytes_of(precision) == 2) share *= kUnalignedInHalf;
  if (kernel.few_channels) share *= model.few_channels;
  if (kernel.pointwise && precision == Precision::tf32) share *= model.pointwise;
  return share;
}

Cycles cycles_of_rows(const Kernel& kernel, Precision precision, double chips) {
  if (kernel.elements_per_row > 0)
    return kCyclesPerElement *
           (kernel.elements_per_row * std::ceil(kernel.rows / (kBlocksPerMultiprocessor * chips)));
  const Cycles row = kernel.backward ? kRowBackward : bytes_of(precision) == 2 ? kRowInHalf : kRowInFull;
  return row * (kernel.rows / chips);
}

void place_on_cores(KernelCost& cost, const Kernel& kernel, const Rate& rate, Precision precision,
                    const Specification& gpu) {
  const auto chips = static_cast<double>(gpu.multiprocessors);
  // Peak multiply-adds per cycle of one multiprocessor.
  const double peak = rate.peak_tflops * kTera / 2 / gpu.peak_clock.si() / chips;
  if (kernel.kind != KernelKind::product) {
    cost.occupancy = std::min(1.0, kernel.traffic.si() / (chips * kBytesPerMultiprocessor));
    cost.cores =
        Cycles{kernel.flops / 2 / (peak * rate.share * chips * std::max(kMinOccupancy, cost.occupancy))};
    cost.cores = std::max({cost.cores, cycles_of_rows(kernel, precision, chips),
                           kCyclesPerIndex * (kernel.broadcast_indices / chips)});
    return;
  }
  const double falloff = gpu.kernels.tile_falloff * (rate.matrix_units ? 1 : kSimtFalloff);
  const double reached = peak * share_of_peak(kernel, precision, rate, gpu.kernels);
  const Tiling tiling = best_tiling(kernel, reached, falloff, gpu);
  cost.cores = Cycles{tiling.cycles * kernel.launches};
  cost.occupancy = tiling.occupancy;
  cost.floor = gpu.kernels.product_floor * kernel.launches + gpu.kernels.floor * (kernel.launches - 1);
}

KernelCost cost_with(const Rate& rate, const Kernel& kernel, Precision precision, const Specification& gpu) {
  KernelCost cost;
  cost.rate = gpu.kernels.stream * share_of_stream(kernel, precision, gpu.kernels);
  place_on_cores(cost, kernel, rate, precision, gpu);
  Bytes traffic = kernel.traffic;
  if (changes_layout(kernel, precision, rate)) traffic *= 1 + gpu.kernels.layout_passes;
  cost.from_cache = traffic * cached_share(traffic, gpu);
  cost.from_memory = traffic - cost.from_cache;
  // The transforms of a Winograd convolution cost about half of the energy that it saves.
  const double saved = uses_winograd(kernel, rate) ? std::sqrt(gpu.kernels.winograd) : 1;
  cost.work = rate.per_flop * (kernel.flops / saved) + gpu.power.cache * traffic;
  cost.transfers = gpu.power.memory * cost.from_memory;
  return cost;
}

}  // namespace

KernelCost kernel_cost(const Kernel& kernel, Precision precision, const Specification& gpu) {
  const KernelCost simt = cost_with(simt_rate(gpu), kernel, precision, gpu);
  const auto rate = tensor_rate(kernel, precision, gpu);
  if (!rate) return simt;
  const KernelCost tensor = cost_with(*rate, kernel, precision, gpu);
  const auto time = [&](const KernelCost& cost) { return time_of(cost, gpu, gpu.core.max).total; };
  return time(tensor) <= time(simt) ? tensor : simt;
}

KernelTime time_of(const KernelCost& cost, const Specification& gpu, Hertz clock) {
  const BytesPerSecond memory = gpu.memory.bandwidth * (gpu.memory.over_clock.at(clock) * cost.rate);
  const BytesPerSecond cache =
      gpu.memory.bandwidth * (gpu.kernels.cache_bandwidth * cost.rate * (clock / gpu.core.max).si());
  KernelTime time;
  time.cores = cost.cores / clock;
  time.memory = cost.from_memory / memory + cost.from_cache / cache;
  const double p = gpu.kernels.overlap;
  const double longer = std::max(time.cores, time.memory).si();
  const double shorter = std::min(time.cores, time.memory).si();
  const double norm = longer <= 0 ? 0 : longer * std::pow(1 + std::pow(shorter / longer, p), 1 / p);
  time.total = gpu.kernels.floor + cost.floor + Seconds{norm};
  return time;
}

}  // namespace ergon::device
