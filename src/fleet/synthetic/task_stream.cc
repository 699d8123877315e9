#include "fleet/synthetic/task_stream.h"

#include <algorithm>
#include <cmath>

#include "fleet/synthetic/random_stream.h"

namespace ergon::fleet::synthetic {
namespace {

// Shares of hosts. In the study: 526, 4 and 5 of 1,024.
constexpr double kSlow = 526.0 / 1024, kDoubled = 4.0 / 1024, kTwoLoggers = 5.0 / 1024, kSkewed = 0.01;

// Time before the first task, and after the last possible end of a task.
constexpr double kMedianRampSeconds = 1.5, kRampSpread = 1.3;
constexpr Seconds kMaxRamp{37}, kQuietEnd{60};
constexpr double kMaxQuietEnd = 0.05;  // share of a short plan

constexpr Seconds kMillisecond{1e-3};
constexpr Seconds kConfig{2e-3}, kRareConfig{0.03};
constexpr double kLongerConfig = 0.45, kRareConfigShare = 0.003;
constexpr double kDelayed = 0.05;  // share of steps that start a millisecond late

// Host time before the kernels, kernel time, and host time after them to store the image.
constexpr Seconds kPreparation{7.1}, kKernels{30.3}, kStoring{2.1};
constexpr double kPreparationSpread = 0.08, kKernelsSpread = 0.03, kStoringSpread = 0.08;

constexpr Seconds kTilingDelay{6e-3}, kTiling{0.973};
constexpr double kTilingSpread = 0.085;

// Upload time after tiling. Sometimes it waits for one or two timeouts.
constexpr Seconds kUpload{0.037}, kTimeout{19.5}, kAfterTimeout{3};
constexpr double kUploadSpread = 1.2, kTimeouts = 0.016, kSecondTimeout = 0.05;

constexpr Seconds kMinPause{0.95}, kMaxPause{3.85};

Seconds spread(Seconds mean, double share, RandomStream& random) {
  return mean * (1 + share * random.approximate_normal());
}

Seconds upload_after_tiling(RandomStream& random) {
  const Seconds upload = kUpload * std::exp(kUploadSpread * random.approximate_normal());
  if (!random.bernoulli(kTimeouts)) return upload;
  const double timeouts = random.bernoulli(kSecondTimeout) ? 2 : 1;
  return upload + kTimeout * timeouts + kAfterTimeout * random.uniform();
}

}  // namespace

HostTraits traits_of(std::uint64_t seed, std::uint64_t host) {
  RandomStream random(seed, Purpose::traits, host);
  HostTraits traits;
  traits.slow = random.bernoulli(kSlow);
  const double quirk = random.uniform();
  traits.doubled = quirk < kDoubled;
  traits.two_loggers = quirk >= kDoubled && quirk < kDoubled + kTwoLoggers;
  traits.skewed = random.bernoulli(kSkewed);
  return traits;
}

TaskStream::TaskStream(const FleetPlan& plan, std::uint64_t host, double pace)
    : seed_(plan.seed), host_(host), pace_(pace) {
  // The last index, which no task uses.
  RandomStream random(seed_, Purpose::task, host_, UINT64_MAX);
  const Seconds ramp{kMedianRampSeconds * std::exp(kRampSpread * random.approximate_normal())};
  free_ = later({}, std::min(ramp, kMaxRamp));
  last_end_ = later({}, plan.duration - std::min(kQuietEnd, plan.duration * kMaxQuietEnd));
}

std::optional<RenderTask> TaskStream::next() {
  RenderTask task;
  task.number = number_;
  task.tile = tile_of(host_, number_);
  RandomStream random(seed_, Purpose::task, host_, number_);
  const auto delayed = [&](Instant moment) {
    return random.bernoulli(kDelayed) ? later(moment, kMillisecond) : moment;
  };
  task.begin = free_;
  task.config_begin = delayed(task.begin);
  Seconds config = kConfig + (random.bernoulli(kLongerConfig) ? kMillisecond : Seconds{0});
  if (random.bernoulli(kRareConfigShare)) config += kRareConfig * random.uniform();
  task.config_end = later(task.config_begin, config);
  task.render_begin = delayed(task.config_end);
  task.kernels_begin = later(task.render_begin, spread(kPreparation, kPreparationSpread, random));
  const Seconds kernels = kKernels * (content_of(task.tile, seed_) * pace_);
  task.kernels_end = later(task.kernels_begin, spread(kernels, kKernelsSpread, random));
  task.render_end = later(task.kernels_end, spread(kStoring, kStoringSpread, random));
  task.upload_begin = delayed(task.render_end);
  task.tiling_begin = later(task.upload_begin, kTilingDelay + kMillisecond * random.uniform(0, 2));
  task.tiling_end = later(task.tiling_begin, spread(kTiling, kTilingSpread, random));
  task.upload_end = later(task.tiling_end, kMillisecond * 3 + upload_after_tiling(random));
  task.end = delayed(task.upload_end);
  if (task.end > last_end_) return std::nullopt;
  free_ = later(task.end, kMinPause + (kMaxPause - kMinPause) * random.uniform());
  ++number_;
  return task;
}

}  // namespace ergon::fleet::synthetic
