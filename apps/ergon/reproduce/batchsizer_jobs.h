#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace ergon::app {

// What a batch costs before the GPU sees it: one call into the framework, and decoding image after image.
struct InputPipeline {
  std::string_view name;
  Seconds call;
  Seconds image;

  Seconds of(std::int64_t batch) const { return call + image * static_cast<double>(batch); }
};

// Nabavinejad, Reda and Ebrahimi do not say what their input costs. Their later measurements with a P40 and
// the same TensorFlow do (../shared/data/gpu/p40_batch_clock_cells.csv: throughput of nine pairs of network
// and data set at many batches and clocks): time of a batch = call + batch x image + what the twin p40 takes.
// These three numbers minimise the mean of the absolute logarithms of what is left over, every pair counting
// alike; it is 0.095. That the parts add up, and none hides behind another, is seen there too (Inception V3
// and ResNet-152 slow down with the clock although decoding takes longer than they do), and in the paper's
// Figure 2.
inline constexpr Seconds kCall{0.048};
inline constexpr InputPipeline kImageNet{"ImageNet", kCall, Seconds{1.0 / 89}};
inline constexpr InputPipeline kCaltech{"Caltech", kCall, Seconds{1.0 / 154}};

// How a spike of power shows. In the same table the highest power of short executions lies far below what the
// twin draws in steady work, and the shorter, the farther: that of 10 to 20 ms shows 0.4 to 0.5 of the way
// from idle, of 50 ms 0.7, of 200 ms all of it, also as the median of thousands of batches, so that it is not
// chance that misses them. A meter that follows with a time constant explains it; the twin's own sensor, the
// mean of 10 ms, does not. By the same measure 27 ms fits best: it is 0.136, and 0.22 without a lag. The
// other two are where the best lies in 5 % and 95 % of bootstrap samples of the pairs. What a tight cap
// leaves to a batch depends on it, so that claims are judged at all three.
inline constexpr Seconds kMeterLag{0.027}, kLeastMeterLag{0.023}, kMostMeterLag{0.032};

// A line of the paper's Table 2.
struct BatchJob {
  int number;
  std::string_view abbreviation;  // the paper's
  std::string_view network;       // the zoo's
  const InputPipeline* input;
  Watts cap;
};

const std::array<BatchJob, 20>& batch_jobs();

// The ten clocks of Section 5.1.
std::vector<Hertz> batchsizer_clocks();

inline constexpr std::int64_t kMostBatch = 256;
// Section 3: "with 10,000 images"; of the experiments no other number is given.
inline constexpr double kImages = 10000;

}  // namespace ergon::app
