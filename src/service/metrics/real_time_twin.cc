#include "service/metrics/real_time_twin.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "device/twin/network_precision.h"
#include "graph/zoo/zoo.h"

namespace ergon::service {
namespace {

// Settling time in thermal time constants: the remaining temperature difference is below 0.1 %.
constexpr double kSettlingConstants = 8;
// The mean power over this last share of the settling time is used for the skipped time.
constexpr double kSettledShare = 0.25;

device::Capabilities read_only_capabilities(const device::Specification& gpu) {
  device::Capabilities can = device::capabilities_of(gpu);
  can.utilization = can.memory = true;
  can.set_power_limit = can.lock_core_clock = false;
  return can;
}

}  // namespace

RealTimeTwin::RealTimeTwin(const device::Specification& gpu, std::shared_ptr<const device::Load> load,
                           Bytes used, const Clock& clock, std::size_t number)
    : clock_(clock),
      identity_(device::identity_of(gpu)),
      capabilities_(read_only_capabilities(gpu)),
      load_(std::move(load)),
      memory_{gpu.memory.capacity, used},
      settles_within_(gpu.thermal.time_constant * kSettlingConstants),
      twin_(gpu, number),
      device_(twin_, clock.wall_now()),
      advanced_to_(clock.now()) {
  identity_.id += fmt::format("-{}", number);
  identity_.uuid += fmt::format("-{}", number);
  if (load_) twin_.run(load_);
}

Result<std::unique_ptr<RealTimeTwin>> RealTimeTwin::create(const device::Specification& gpu,
                                                           const std::optional<device::Workload>& work,
                                                           const Clock& clock, std::size_t number) {
  std::shared_ptr<const device::Load> load;
  Bytes used;
  if (work) {
    const auto memory = device::memory_on(*work, gpu);
    if (!memory) return memory.error();
    used = *memory;
    load = std::make_shared<const device::Load>(*work, gpu);
  }
  return std::unique_ptr<RealTimeTwin>(new RealTimeTwin(gpu, std::move(load), used, clock, number));
}

std::unique_lock<std::mutex> RealTimeTwin::lock_at_now() {
  std::unique_lock lock(mutex_);
  advance_to_now();
  return lock;
}

void RealTimeTwin::advance_to_now() {
  const Instant now = clock_.now();
  if (now <= advanced_to_) return;
  const Seconds passed = now - advanced_to_;
  advanced_to_ = now;
  const Seconds skipped = passed - settles_within_;
  if (skipped <= Seconds{0}) return twin_.advance(passed);

  const Seconds settled = settles_within_ * kSettledShare;
  twin_.advance(settles_within_ - settled);
  const auto before = twin_.energy_counter();
  twin_.advance(settled);
  const auto after = twin_.energy_counter();
  skipped_ += skipped;
  if (before && after) skipped_energy_ += (*after - *before) / settled * skipped;
}

Result<Watts> RealTimeTwin::power(device::PowerField field) {
  const auto lock = lock_at_now();
  return device_.power(field);
}

Result<std::vector<device::PowerSample>> RealTimeTwin::power_samples(Timestamp since) {
  const auto lock = lock_at_now();
  const std::int64_t skipped_ns = device::nanoseconds(skipped_);
  // The twin's time stamps lack the skipped time.
  auto samples = device_.power_samples(Timestamp{since.ns - skipped_ns});
  if (!samples) return samples;
  for (device::PowerSample& each : *samples) each.at.ns += skipped_ns;
  return samples;
}

Result<Joules> RealTimeTwin::energy_counter() {
  const auto lock = lock_at_now();
  const auto counter = device_.energy_counter();
  if (!counter) return counter.error();
  return *counter + skipped_energy_;
}

Result<Hertz> RealTimeTwin::clock(device::ClockDomain domain) {
  const auto lock = lock_at_now();
  return device_.clock(domain);
}

Result<std::vector<Hertz>> RealTimeTwin::supported_clocks(device::ClockDomain domain) {
  const auto lock = lock_at_now();
  return device_.supported_clocks(domain);
}

Result<Celsius> RealTimeTwin::temperature() {
  const auto lock = lock_at_now();
  return device_.temperature();
}

Result<device::GpuUtilization> RealTimeTwin::utilization() {
  const auto lock = lock_at_now();
  if (!load_) return device::GpuUtilization{};
  const device::Specification& gpu = twin_.specification();
  const device::Activity activity = load_->at(twin_.clock());
  const Bytes moved = activity.transfers / gpu.power.memory;
  return device::GpuUtilization{std::min(1.0, (activity.gpu / activity.time).si()),
                                std::min(1.0, (moved / (gpu.memory.bandwidth * activity.time)).si())};
}

Result<device::MemoryUse> RealTimeTwin::memory() { return memory_; }

Result<device::EventReasons> RealTimeTwin::event_reasons() {
  const auto lock = lock_at_now();
  return device_.event_reasons();
}

Result<device::PowerLimits> RealTimeTwin::power_limits() {
  const auto lock = lock_at_now();
  return device_.power_limits();
}

Result<std::unique_ptr<RealTimeTwin>> parse_real_time_twin(std::string_view text, const Clock& clock,
                                                           std::size_t number) {
  const auto words = split(text, ':');
  if (words.size() > 3) {
    return fail(Errc::invalid_input, "\"{}\" is not DEVICE:NETWORK:BATCH (example: v100:resnet50:32)",
                printable(text));
  }
  const auto gpu = device::find_device(std::string(words[0]));
  if (!gpu) return gpu.error();
  if (words.size() == 1) return RealTimeTwin::create(*gpu, std::nullopt, clock, number);

  const auto batch = words.size() == 3 ? parse_int64(words[2]) : std::optional<std::int64_t>(1);
  if (!batch || *batch < 1) {
    return fail(Errc::invalid_input, "\"{}\": batch \"{}\" is not a whole number of at least 1",
                printable(text), printable(words[2]));
  }
  const auto entry = graph::zoo::find(words[1]);
  if (!entry) return entry.error();
  const auto network = graph::zoo::build(**entry);
  if (!network) return network.error();
  const auto work =
      device::workload_of(*network, *batch, graph::Mode::inference, device::default_precision(*network));
  if (!work) return work.error();
  return RealTimeTwin::create(*gpu, *work, clock, number);
}

}  // namespace ergon::service
