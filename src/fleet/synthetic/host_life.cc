#include "fleet/synthetic/host_life.h"

#include <algorithm>
#include <cmath>

#include "fleet/synthetic/draws.h"

namespace ergon::fleet::synthetic {
namespace {

// Shares of hosts: in the study 526, 4 and 5 of 1,024.
constexpr double kSlow = 526.0 / 1024, kDoubled = 4.0 / 1024, kTwoLoggers = 5.0 / 1024, kSkewed = 0.01;

// Before the first task, and after the last one may end.
constexpr double kUsualRampSeconds = 1.5, kRampSpread = 1.3;
constexpr Seconds kLongestRamp{37}, kQuietEnd{60};
constexpr double kQuietEndAtMost = 0.05;  // of a short plan

constexpr Seconds kMillisecond{1e-3};
constexpr Seconds kConfig{2e-3}, kRareConfig{0.03};
constexpr double kLongerConfig = 0.45, kRareConfigShare = 0.003;
constexpr double kDelayed = 0.05;  // of the steps begin a millisecond after the one before

// Before the kernels, and after them, while the picture is fetched and stored.
constexpr Seconds kPreparation{7.1}, kKernels{30.3}, kStoring{2.1};
constexpr double kPreparationSpread = 0.08, kKernelsSpread = 0.03, kStoringSpread = 0.08;

constexpr Seconds kTilingDelay{6e-3}, kTiling{0.973};
constexpr double kTilingSpread = 0.085;

// What uploading takes once the tiles are cut. Now and then it waits for a timeout, or for two.
constexpr Seconds kUpload{0.037}, kTimeout{19.5}, kAfterTimeout{3};
constexpr double kUploadSpread = 1.2, kTimeouts = 0.016, kSecondTimeout = 0.05;

constexpr Seconds kShortestPause{0.95}, kLongestPause{3.85};

Seconds spread(Seconds usual, double share, Draws& draws) { return usual * (1 + share * draws.bell()); }

Seconds upload_after_tiling(Draws& draws) {
  const Seconds upload = kUpload * std::exp(kUploadSpread * draws.bell());
  if (!draws.happens(kTimeouts)) return upload;
  const double timeouts = draws.happens(kSecondTimeout) ? 2 : 1;
  return upload + kTimeout * timeouts + kAfterTimeout * draws.uniform();
}

}  // namespace

HostTraits traits_of(std::uint64_t seed, std::uint64_t host) {
  Draws draws(seed, Purpose::traits, host);
  HostTraits traits;
  traits.slow = draws.happens(kSlow);
  const double quirk = draws.uniform();
  traits.doubled = quirk < kDoubled;
  traits.two_loggers = quirk >= kDoubled && quirk < kDoubled + kTwoLoggers;
  traits.skewed = draws.happens(kSkewed);
  return traits;
}

HostLife::HostLife(const Plan& plan, std::uint64_t host, double pace)
    : seed_(plan.seed), host_(host), pace_(pace) {
  // Behind all tasks.
  Draws draws(seed_, Purpose::task, host_, UINT64_MAX);
  const Seconds ramp{kUsualRampSeconds * std::exp(kRampSpread * draws.bell())};
  free_ = later({}, std::min(ramp, kLongestRamp));
  last_end_ = later({}, plan.lasts - std::min(kQuietEnd, plan.lasts * kQuietEndAtMost));
}

std::optional<RenderTask> HostLife::next() {
  RenderTask task;
  task.number = number_;
  task.tile = tile_of(host_, number_);
  Draws draws(seed_, Purpose::task, host_, number_);
  const auto delayed = [&](Instant moment) {
    return draws.happens(kDelayed) ? later(moment, kMillisecond) : moment;
  };
  task.begin = free_;
  task.config_begin = delayed(task.begin);
  Seconds config = kConfig + (draws.happens(kLongerConfig) ? kMillisecond : Seconds{0});
  if (draws.happens(kRareConfigShare)) config += kRareConfig * draws.uniform();
  task.config_end = later(task.config_begin, config);
  task.render_begin = delayed(task.config_end);
  task.kernels_begin = later(task.render_begin, spread(kPreparation, kPreparationSpread, draws));
  const Seconds kernels = kKernels * (content_of(task.tile, seed_) * pace_);
  task.kernels_end = later(task.kernels_begin, spread(kernels, kKernelsSpread, draws));
  task.render_end = later(task.kernels_end, spread(kStoring, kStoringSpread, draws));
  task.upload_begin = delayed(task.render_end);
  task.tiling_begin = later(task.upload_begin, kTilingDelay + kMillisecond * draws.uniform(0, 2));
  task.tiling_end = later(task.tiling_begin, spread(kTiling, kTilingSpread, draws));
  task.upload_end = later(task.tiling_end, kMillisecond * 3 + upload_after_tiling(draws));
  task.end = delayed(task.upload_end);
  if (task.end > last_end_) return std::nullopt;
  free_ = later(task.end, kShortestPause + (kLongestPause - kShortestPause) * draws.uniform());
  ++number_;
  return task;
}

}  // namespace ergon::fleet::synthetic
