#include "service/metrics/living_twin.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "device/twin/catalogue.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"

namespace ergon::service {
namespace {

// In time constants of the chip's temperature: what is left of the way to the balance is less than a
// thousandth.
constexpr double kSettled = 8;
// The share of that time, at its end, whose mean power stands for what is skipped.
constexpr double kSettledShare = 0.25;

device::Capabilities watched_capabilities(const device::Specification& gpu) {
  device::Capabilities can = device::capabilities_of(gpu);
  can.utilisation = can.memory = true;
  can.set_power_limit = can.lock_core_clock = false;
  return can;
}

}  // namespace

LivingTwin::LivingTwin(const device::Specification& gpu, std::shared_ptr<const device::Load> load, Bytes used,
                       const Clock& clock, std::size_t number)
    : clock_(clock),
      identity_(device::identity_of(gpu)),
      capabilities_(watched_capabilities(gpu)),
      load_(std::move(load)),
      memory_{gpu.memory.capacity, used},
      settles_within_(gpu.thermal.time_constant * kSettled),
      twin_(gpu, number),
      device_(twin_, clock.wall_now()),
      caught_up_(clock.now()) {
  identity_.id += fmt::format("-{}", number);
  identity_.uuid += fmt::format("-{}", number);
  if (load_) twin_.run(load_);
}

Result<std::unique_ptr<LivingTwin>> LivingTwin::create(const device::Specification& gpu,
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
  return std::unique_ptr<LivingTwin>(new LivingTwin(gpu, std::move(load), used, clock, number));
}

std::unique_lock<std::mutex> LivingTwin::present() {
  std::unique_lock lock(mutex_);
  catch_up();
  return lock;
}

void LivingTwin::catch_up() {
  const Instant now = clock_.now();
  if (now <= caught_up_) return;
  const Seconds passed = now - caught_up_;
  caught_up_ = now;
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

Result<Watts> LivingTwin::power(device::PowerField field) {
  const auto lock = present();
  return device_.power(field);
}

Result<std::vector<device::PowerSample>> LivingTwin::power_samples(Timestamp since) {
  const auto lock = present();
  const std::int64_t skipped_ns = device::nanoseconds(skipped_);
  // The twin's own time is behind by what it skipped.
  auto samples = device_.power_samples(Timestamp{since.ns - skipped_ns});
  if (!samples) return samples;
  for (device::PowerSample& each : *samples) each.at.ns += skipped_ns;
  return samples;
}

Result<Joules> LivingTwin::energy_counter() {
  const auto lock = present();
  const auto lived = device_.energy_counter();
  if (!lived) return lived.error();
  return *lived + skipped_energy_;
}

Result<Hertz> LivingTwin::clock(device::ClockDomain domain) {
  const auto lock = present();
  return device_.clock(domain);
}

Result<std::vector<Hertz>> LivingTwin::supported_clocks(device::ClockDomain domain) {
  const auto lock = present();
  return device_.supported_clocks(domain);
}

Result<Celsius> LivingTwin::temperature() {
  const auto lock = present();
  return device_.temperature();
}

Result<device::Utilisation> LivingTwin::utilisation() {
  const auto lock = present();
  if (!load_) return device::Utilisation{};
  const device::Specification& gpu = twin_.specification();
  const device::Activity activity = load_->at(twin_.clock());
  const Bytes moved = activity.transfers / gpu.power.memory;
  return device::Utilisation{std::min(1.0, (activity.gpu / activity.time).si()),
                             std::min(1.0, (moved / (gpu.memory.bandwidth * activity.time)).si())};
}

Result<device::MemoryUse> LivingTwin::memory() { return memory_; }

Result<device::EventReasons> LivingTwin::event_reasons() {
  const auto lock = present();
  return device_.event_reasons();
}

Result<device::PowerLimits> LivingTwin::power_limits() {
  const auto lock = present();
  return device_.power_limits();
}

Result<std::unique_ptr<LivingTwin>> living_twin_named(std::string_view text, const Clock& clock,
                                                      std::size_t number) {
  const auto words = split(text, ':');
  if (words.size() > 3) {
    return fail(Errc::invalid_input, "a twin is DEVICE:NETWORK:BATCH, such as v100:resnet50:32, not \"{}\"",
                printable(text));
  }
  const auto gpu = device::find_device(std::string(words[0]));
  if (!gpu) return gpu.error();
  if (words.size() == 1) return LivingTwin::create(*gpu, std::nullopt, clock, number);

  const auto batch = words.size() == 3 ? parse_int64(words[2]) : std::optional<std::int64_t>(1);
  if (!batch || *batch < 1) {
    return fail(Errc::invalid_input, "the batch of \"{}\" is a whole number from 1 on, not \"{}\"",
                printable(text), printable(words[2]));
  }
  const auto entry = graph::zoo::find(words[1]);
  if (!entry) return entry.error();
  const auto network = graph::zoo::build(**entry);
  if (!network) return network.error();
  const auto work = device::workload_of(*network, *batch, graph::Mode::inference, device::Precision::tf32);
  if (!work) return work.error();
  return LivingTwin::create(*gpu, *work, clock, number);
}

}  // namespace ergon::service
