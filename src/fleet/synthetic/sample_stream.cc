#include "fleet/synthetic/sample_stream.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fleet/synthetic/identity.h"

namespace ergon::fleet::synthetic {
namespace {

// Time between two rows of a logger: 2.016 to 2.018 s, sometimes a little more.
constexpr Seconds kPeriod{2.016};
constexpr double kLateShare = 0.125;
constexpr std::uint64_t kJitterSteps = 3, kLateSteps = 8;  // in milliseconds
constexpr Seconds kStep{1e-3};

// Standard deviations of the utilization readings, in percent.
constexpr double kBusyScatter = 2.5, kMemoryScatter = 6;

constexpr std::uint64_t kLoggers = 2;

std::uint64_t reader_of(const LoggerId& source) { return source.gpu * kLoggers + source.logger; }

int whole_percent(double percent) { return static_cast<int>(std::lround(std::clamp(percent, 0.0, 100.0))); }

}  // namespace

SampleStream::SampleStream(const FleetPlan& plan, const LoggerId& source, double pace,
                           const std::shared_ptr<const Board>& board)
    : sensor_(plan.device.sensors.front()),
      life_(board, GpuPhases(plan, source.host, source.gpu, TaskStream(plan, source.host, pace), *board)),
      end_(plan.end()),
      names_(fmt::format(",\"{}\",\"{}\",\"{}\",", host_name(plan.seed, source.host),
                         gpu_serial(plan.seed, source.host, source.gpu),
                         gpu_uuid(plan.seed, source.host, source.gpu))),
      random_(plan.seed, Purpose::logger, source.host, reader_of(source)),
      // Stream 0 is used for checkpoints.
      losses_(plan.seed, Purpose::losses, source.host, 1 + reader_of(source)) {
  // The GPUs of a host are read together.
  RandomStream phase(plan.seed, Purpose::logger, source.host, UINT64_MAX - source.logger);
  read_at_ = later({}, kPeriod * phase.uniform());
  if (traits_of(plan.seed, source.host).skewed) ahead_ns_ = later({}, plan.skew).ns;
}

SampleRow SampleStream::take() {
  life_.advance(read_at_);
  SampleRow sample{};
  sample.at = {read_at_.ns + ahead_ns_};
  const Watts power =
      std::max(Watts{0}, life_.sensor_power(sensor_) + sensor_.noise * random_.approximate_normal());
  sample.power_hundredths = std::llround(power.si() * 100);
  sample.temperature_celsius = static_cast<int>(std::lround(life_.temperature().degrees()));
  if (const Rendering* rendering = life_.rendering()) {
    sample.busy_percent =
        whole_percent(rendering->busy_percent + kBusyScatter * random_.approximate_normal());
    sample.memory_percent =
        whole_percent(rendering->memory_percent + kMemoryScatter * random_.approximate_normal());
  }
  Seconds until_next = kPeriod + kStep * static_cast<double>(random_.below(kJitterSteps));
  if (random_.bernoulli(kLateShare)) until_next += kStep * static_cast<double>(random_.below(kLateSteps));
  read_at_ = later(read_at_, until_next);
  return sample;
}

}  // namespace ergon::fleet::synthetic
