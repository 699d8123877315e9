#include "fleet/synthetic/sample_stream.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fleet/synthetic/identity.h"

namespace ergon::fleet::synthetic {
namespace {

// Between two rows of a logger: 2.016 to 2.018 s, and at times a little more.
constexpr Seconds kPeriod{2.016};
constexpr double kOtherwiseLate = 0.125;
constexpr std::uint64_t kJitterSteps = 3, kLateSteps = 8;  // in milliseconds
constexpr Seconds kStep{1e-3};

// What the counters of activity scatter by from reading to reading, in percent of time.
constexpr double kBusyScatter = 2.5, kMemoryScatter = 6;

constexpr std::uint64_t kLoggers = 2;

std::uint64_t reader_of(const SampleSource& source) { return source.gpu * kLoggers + source.logger; }

int whole_percent(double percent) { return static_cast<int>(std::lround(std::clamp(percent, 0.0, 100.0))); }

}  // namespace

SampleStream::SampleStream(const Plan& plan, const SampleSource& source, double pace,
                           const std::shared_ptr<const Board>& board)
    : sensor_(plan.device.sensors.front()),
      life_(board, GpuPhases(plan, source.host, source.gpu, HostLife(plan, source.host, pace), *board)),
      end_(plan.end()),
      names_(fmt::format(",\"{}\",\"{}\",\"{}\",", host_name(plan.seed, source.host),
                         gpu_serial(plan.seed, source.host, source.gpu),
                         gpu_uuid(plan.seed, source.host, source.gpu))),
      draws_(plan.seed, Purpose::logger, source.host, reader_of(source)),
      // Behind the checkpoints'.
      losses_(plan.seed, Purpose::losses, source.host, 1 + reader_of(source)) {
  // The GPUs of a host are read together.
  Draws phase(plan.seed, Purpose::logger, source.host, UINT64_MAX - source.logger);
  read_at_ = later({}, kPeriod * phase.uniform());
  if (traits_of(plan.seed, source.host).skewed) ahead_ns_ = later({}, plan.skew).ns;
}

Sample SampleStream::take() {
  life_.advance(read_at_);
  Sample sample{};
  sample.at = {read_at_.ns + ahead_ns_};
  const Watts power = std::max(Watts{0}, life_.seen(sensor_) + sensor_.noise * draws_.bell());
  sample.power_hundredths = std::llround(power.si() * 100);
  sample.temperature_celsius = static_cast<int>(std::lround(life_.temperature().degrees()));
  if (const Rendering* rendering = life_.rendering()) {
    sample.busy_percent = whole_percent(rendering->busy_percent + kBusyScatter * draws_.bell());
    sample.memory_percent = whole_percent(rendering->memory_percent + kMemoryScatter * draws_.bell());
  }
  Seconds until_next = kPeriod + kStep * static_cast<double>(draws_.below(kJitterSteps));
  if (draws_.happens(kOtherwiseLate)) until_next += kStep * static_cast<double>(draws_.below(kLateSteps));
  read_at_ = later(read_at_, until_next);
  return sample;
}

}  // namespace ergon::fleet::synthetic
