#include "device/twin/kernel_cost.h"

#include <gtest/gtest.h>

#include "device/twin_loads.h"

namespace ergon::device {
namespace {

using namespace literals;

Kernel square_product(double side) {
  Kernel kernel;
  kernel.kind = KernelKind::product;
  kernel.product = {side, side, side, 1};
  kernel.flops = 2 * side * side * side;
  kernel.traffic = Bytes{3 * side * side * 4};
  return kernel;
}

Kernel stream_of(Bytes traffic) {
  Kernel kernel;
  kernel.traffic = traffic;
  return kernel;
}

double tflops(const Kernel& kernel, Precision precision, const Specification& gpu) {
  const Seconds time = time_of(kernel_cost(kernel, precision, gpu), gpu, gpu.core.max).total;
  return kernel.flops / time.si() / 1e12;
}

TEST(KernelCost, ALargeProductIsNearThePeakAndNeverAbove) {
  const Specification gpu = device_called("h200");
  const Kernel product = square_product(8192);
  const double plain = tflops(product, Precision::fp32, gpu);
  EXPECT_GT(plain, 0.6 * gpu.peak_tflops.at(Precision::fp32));
  EXPECT_LT(plain, gpu.peak_tflops.at(Precision::fp32));
  const double half = tflops(product, Precision::bf16, gpu);
  EXPECT_GT(half, 0.6 * gpu.peak_tflops.at(Precision::bf16));
  EXPECT_LT(half, gpu.peak_tflops.at(Precision::bf16));
}

// data/reference/h200/ceilings.csv: 51.3 TFLOPS in fp32 and 656 in bf16, the latter at 1423 MHz at the
// power limit.
TEST(KernelCost, LargeProductsMatchMeasurements) {
  const Specification gpu = device_called("h200");
  EXPECT_NEAR(tflops(square_product(8192), Precision::fp32, gpu), 51.3, 0.15 * 51.3);
  const KernelCost half = kernel_cost(square_product(8192), Precision::bf16, gpu);
  EXPECT_NEAR(time_of(half, gpu, 1423_MHz).total.si(), 1.676e-3, 0.15 * 1.676e-3);
}

// The same table: a copy of 1 GiB takes 0.503 ms.
TEST(KernelCost, ALargeCopyMatchesMeasurements) {
  const Specification gpu = device_called("h200");
  const KernelCost copy = kernel_cost(stream_of(2_GiB), Precision::fp32, gpu);
  EXPECT_NEAR(time_of(copy, gpu, gpu.core.max).total.si(), 0.503e-3, 0.15 * 0.503e-3);
}

// data/measured/h200*: 401,408 rows of 96 channels take 449 us in 16 bits and 612 us in 32. Rows of 32
// channels, a third of the bytes, took 454 us in 16 (data/reference/h200/families_operators.csv).
TEST(KernelCost, ShortRowsMatchMeasurements) {
  const Specification gpu = device_called("h200");
  const auto norm = [&](double channels, Precision precision, double rows) {
    Kernel kernel;
    kernel.kind = KernelKind::rows;
    kernel.traffic = Bytes{401408 * channels * 2 * static_cast<double>(bytes_of(precision))};
    kernel.rows = rows;
    return time_of(kernel_cost(kernel, precision, gpu), gpu, gpu.core.max).total.si();
  };
  EXPECT_NEAR(norm(96, Precision::bf16, 401408), 449e-6, 0.15 * 449e-6);
  EXPECT_NEAR(norm(96, Precision::tf32, 401408), 612e-6, 0.15 * 612e-6);
  EXPECT_NEAR(norm(32, Precision::bf16, 401408), 454e-6, 0.15 * 454e-6);
  EXPECT_LT(norm(32, Precision::bf16, 0), 150e-6) << "by memory traffic alone";
  EXPECT_NEAR(norm(2048, Precision::bf16, 401408), norm(2048, Precision::bf16, 0),
              0.1 * norm(2048, Precision::bf16, 0))
      << "no effect on long rows";
}

TEST(KernelCost, ASmallProductDoesNotFillTheGpu) {
  const Specification gpu = device_called("h200");
  const KernelCost small = kernel_cost(square_product(128), Precision::bf16, gpu);
  EXPECT_LT(small.occupancy, 0.2);
  EXPECT_LT(tflops(square_product(128), Precision::bf16, gpu), 0.02 * gpu.peak_tflops.at(Precision::bf16));
}

// One tile more than the number of multiprocessors costs another wave.
TEST(KernelCost, WavesQuantize) {
  Specification gpu = device_called("h200");
  gpu.kernels.tile_falloff = 1;  // smaller tiles never help
  gpu.kernels.tile_latency = 0;
  const auto tiles = [&](double count) {
    Kernel kernel = square_product(1);
    kernel.product = {256, 128, 64, count};
    return kernel_cost(kernel, Precision::bf16, gpu).cores.si();
  };
  const auto chips = static_cast<double>(gpu.multiprocessors);
  EXPECT_NEAR(tiles(1), tiles(chips), 1e-9 * tiles(1));
  EXPECT_NEAR(tiles(chips + 1), 2 * tiles(chips), 1e-9 * tiles(chips));
}

TEST(KernelCost, TrafficThatFitsTheCacheStaysThere) {
  const Specification gpu = device_called("h200");
  const KernelCost small = kernel_cost(stream_of(4_MiB), Precision::fp32, gpu);
  EXPECT_EQ(small.from_memory, 0_B);
  EXPECT_EQ(small.transfers, 0_J);
  const KernelCost large = kernel_cost(stream_of(4_GiB), Precision::fp32, gpu);
  EXPECT_GT(large.from_memory, 0.99 * 4_GiB);
}

TEST(KernelCost, MemoryBoundTimeScalesWithBandwidthComputeBoundWithClock) {
  const Specification gpu = device_called("v100");
  const KernelCost copy = kernel_cost(stream_of(1_GiB), Precision::fp32, gpu);
  const KernelCost product = kernel_cost(square_product(8192), Precision::fp32, gpu);
  const auto slower = [&](const KernelCost& cost, Hertz clock) {
    return (time_of(cost, gpu, clock).total / time_of(cost, gpu, gpu.core.max).total).si();
  };
  // 588 GB/s at 705 MHz, 819 at 945, flat above.
  EXPECT_NEAR(slower(copy, 945_MHz), 1, 0.01);
  EXPECT_NEAR(slower(copy, 1200_MHz), 1, 0.01);
  EXPECT_NEAR(slower(copy, 705_MHz), 819.0 / 588, 0.01);
  EXPECT_GT(slower(copy, 600_MHz), 2);
  EXPECT_NEAR(slower(product, 690_MHz), 2, 0.01);
}

TEST(KernelCost, AGpuWithoutTensorCoresUsesCudaCores) {
  const Specification gpu = device_called("v100");
  Kernel convolution = square_product(4096);
  convolution.convolution = true;
  EXPECT_EQ(kernel_cost(convolution, Precision::tf32, gpu).cores,
            kernel_cost(convolution, Precision::fp32, gpu).cores);
}

// A P40 has an eighth of a TFLOP/s in fp16 and twelve in fp32, so fp16 networks compute in fp32.
TEST(KernelCost, Fp16IsNeverSlowerThanFp32) {
  for (const std::string& name : device_names()) {
    const Specification gpu = device_called(name);
    Kernel convolution = square_product(2048);
    convolution.convolution = convolution.winograd = true;
    convolution.side = 3;
    for (const Kernel& kernel : {square_product(2048), convolution}) {
      const auto time = [&](Precision precision) {
        Kernel stored = kernel;
        stored.traffic = kernel.traffic * (static_cast<double>(bytes_of(precision)) / 4);
        return time_of(kernel_cost(stored, precision, gpu), gpu, gpu.core.max).total;
      };
      EXPECT_LE(time(Precision::fp16), time(Precision::fp32)) << name;
      EXPECT_LE(time(Precision::bf16), time(Precision::fp32)) << name;
      EXPECT_LE(time(Precision::tf32), time(Precision::fp32)) << name;
    }
  }
}

TEST(KernelCost, WinogradSavesTimeAndSomeEnergyOnCudaCoresOnly) {
  const Specification gpu = device_called("v100");
  Kernel direct = square_product(2048);
  direct.convolution = true;
  Kernel transformed = direct;
  transformed.winograd = true;
  const KernelCost before = kernel_cost(direct, Precision::fp32, gpu),
                   after = kernel_cost(transformed, Precision::fp32, gpu);
  EXPECT_LT(after.cores, before.cores);
  EXPECT_LT(after.work, before.work);
  EXPECT_GT(after.work, before.work / gpu.kernels.winograd);
  const KernelCost half = kernel_cost(transformed, Precision::fp16, gpu);
  EXPECT_EQ(half.cores, kernel_cost(direct, Precision::fp16, gpu).cores);
}

TEST(KernelCost, AForwardConvolutionDoesNotUseSplitK) {
  const Specification gpu = device_called("h200");
  Kernel narrow = square_product(64);
  narrow.product = {64, 64, 65536, 1};
  narrow.split_k = false;
  const KernelCost whole = kernel_cost(narrow, Precision::bf16, gpu);
  narrow.split_k = true;
  const KernelCost cut = kernel_cost(narrow, Precision::bf16, gpu);
  EXPECT_GT(whole.cores, 8 * cut.cores);
  EXPECT_LT(whole.occupancy, cut.occupancy);
}

}  // namespace
}  // namespace ergon::device
