// How long a kernel keeps a chip, by two roofs and what stands below them.
//
// A product is cut into tiles, one to a multiprocessor at a time. The chip works in waves: the last one is
// rarely full. Large tiles reuse their operands best, small ones fill the chip better, and a long inner loop
// can be cut among several tiles; as a library does, the model takes the choice that is fastest. It also
// takes plain cores where matrix units would be slower.
//
// What the kernel before has just written may still lie in the cache. The more a kernel moves, the less of
// it.

#include "device/twin/demand.h"

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

// Plain cores are slow enough to be fed from smaller tiles.
constexpr double kPlainFalloff = 0.25;
// A shorter inner loop is not cut.
constexpr double kLeastInnerSteps = 128;
// Depthwise convolutions slow down with the side of their kernel, and their gradients with its square.
constexpr double kDepthwiseSide = 3;
// In 16 bits: kernels that gather go by elements, not by bytes; rows lose as well; depthwise convolutions run
// on a layout that suits them. By the operators inside networks on an H200
// (data/reference/h200/operators.csv).
constexpr double kGatherInHalf = 0.35, kRowsInHalf = 0.7, kDepthwiseInHalf = 2;

// Cycles of a multiprocessor that a row takes however short it is: layer norms of 96 and 128 channels
// take 1.1 ns a row in 16 bits, 1.5 ns in 32, and 1.1 ns on the way back on an H200 (data/measured/h200*).
constexpr Cycles kRowInHalf{290}, kRowInFull{385}, kRowBack{280};

// A group norm gives every group of a sample to one block of threads, which takes a cycle for each element; a
// multiprocessor holds four such blocks. 32 groups of 200,000 elements take an H200 some 100 us
// (data/measured/h200-families).
constexpr Cycles kStep{1};
constexpr double kBlocks = 4;

// What stretches a smaller operand over a larger one finds the place of every element by itself: 366 billion
// of them in a second on an H200, whatever the operation (data/measured/h200*).
constexpr Cycles kPlace{0.71};
// Of the matrix units' pace in 16 bits, where rows are no multiple of 16 bytes: such products do 100 to 240
// TFLOP/s on an H200 where others of that size do 250 to 650 (data/measured/h200-families,
// data/reference/h200/families_operators.csv).
constexpr double kUnalignedInHalf = 0.35;

constexpr double kTera = 1e12;
// What a multiprocessor must be given to be busy, when the work is only moving.
constexpr double kBytesPerMultiprocessor = 64.0 * 1024;
// A multiprocessor by itself is never slower than this share of the chip.
constexpr double kLeastFilled = 0.05;

struct Rate {
  double peak_tflops = 1, share = 1;
  Joules per_flop;
  bool matrix_units = true;
};

double peak_of(Precision precision, const Specification& gpu) {
  const auto found = gpu.peak_tflops.find(precision);
  return found == gpu.peak_tflops.end() ? 0.0 : found->second;
}

Rate plain_rate(const Specification& gpu) {
  return {peak_of(Precision::fp32, gpu), gpu.kernels.simt, gpu.power.simt_flop, false};
}

// The units that could multiply faster than plain cores, if the chip has them for this kernel.
std::optional<Rate> special_rate(const Kernel& kernel, Precision precision, const Specification& gpu) {
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

// `rate` is what a multiprocessor does in a cycle with the largest tile, in multiply-adds.
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
      if (cuts > 1 && (!kernel.cuttable || product.k / cuts < kLeastInnerSteps)) break;
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

// Of the rate of kernels that only move.
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

// Of the units' peak, by a product of this kind.
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
  if (kernel.walk > 0) return kStep * (kernel.walk * std::ceil(kernel.rows / (kBlocks * chips)));
  const Cycles row = kernel.backward ? kRowBack : bytes_of(precision) == 2 ? kRowInHalf : kRowInFull;
  return row * (kernel.rows / chips);
}

void place_on_cores(Demand& demand, const Kernel& kernel, const Rate& rate, Precision precision,
                    const Specification& gpu) {
  const auto chips = static_cast<double>(gpu.multiprocessors);
  // Multiply-adds that one multiprocessor does in a cycle at its peak.
  const double peak = rate.peak_tflops * kTera / 2 / gpu.peak_clock.si() / chips;
  if (kernel.kind != KernelKind::product) {
    demand.occupancy = std::min(1.0, kernel.traffic.si() / (chips * kBytesPerMultiprocessor));
    demand.cores =
        Cycles{kernel.flops / 2 / (peak * rate.share * chips * std::max(kLeastFilled, demand.occupancy))};
    demand.cores =
        std::max({demand.cores, cycles_of_rows(kernel, precision, chips), kPlace * (kernel.places / chips)});
    return;
  }
  const double falloff = gpu.kernels.tile_falloff * (rate.matrix_units ? 1 : kPlainFalloff);
  const double own = peak * share_of_peak(kernel, precision, rate, gpu.kernels);
  const Tiling tiling = best_tiling(kernel, own, falloff, gpu);
  demand.cores = Cycles{tiling.cycles * kernel.launches};
  demand.occupancy = tiling.occupancy;
  demand.floor = gpu.kernels.product_floor * kernel.launches + gpu.kernels.floor * (kernel.launches - 1);
}

Demand demand_at(const Rate& rate, const Kernel& kernel, Precision precision, const Specification& gpu) {
  Demand demand;
  demand.rate = gpu.kernels.stream * share_of_stream(kernel, precision, gpu.kernels);
  place_on_cores(demand, kernel, rate, precision, gpu);
  Bytes traffic = kernel.traffic;
  if (changes_layout(kernel, precision, rate)) traffic *= 1 + gpu.kernels.layout_passes;
  demand.from_cache = traffic * cached_share(traffic, gpu);
  demand.from_memory = traffic - demand.from_cache;
  // The transforms around a Winograd convolution eat up about half of the energy that it saves.
  const double saved = uses_winograd(kernel, rate) ? std::sqrt(gpu.kernels.winograd) : 1;
  demand.work = rate.per_flop * (kernel.flops / saved) + gpu.power.cache * traffic;
  demand.transfers = gpu.power.memory * demand.from_memory;
  return demand;
}

}  // namespace

Demand demand_of(const Kernel& kernel, Precision precision, const Specification& gpu) {
  const Demand plain = demand_at(plain_rate(gpu), kernel, precision, gpu);
  const auto special = special_rate(kernel, precision, gpu);
  if (!special) return plain;
  const Demand other = demand_at(*special, kernel, precision, gpu);
  const auto time = [&](const Demand& demand) { return time_of(demand, gpu, gpu.core.most).total; };
  return time(other) <= time(plain) ? other : plain;
}

KernelTime time_of(const Demand& demand, const Specification& gpu, Hertz clock) {
  const BytesPerSecond memory = gpu.memory.bandwidth * (gpu.memory.over_clock.at(clock) * demand.rate);
  const BytesPerSecond cache =
      gpu.memory.bandwidth * (gpu.kernels.cache_bandwidth * demand.rate * (clock / gpu.core.most).si());
  KernelTime time;
  time.cores = demand.cores / clock;
  time.memory = demand.from_memory / memory + demand.from_cache / cache;
  const double p = gpu.kernels.overlap;
  const double longer = std::max(time.cores, time.memory).si();
  const double shorter = std::min(time.cores, time.memory).si();
  const double norm = longer <= 0 ? 0 : longer * std::pow(1 + std::pow(shorter / longer, p), 1 / p);
  time.total = gpu.kernels.floor + demand.floor + Seconds{norm};
  return time;
}

}  // namespace ergon::device
