#include "profile/test_bench/test_bench.h"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "device/machine/device_name.h"
#include "device/machine/lease_guard.h"
#include "device/twin/catalog.h"
#include "meter/process_tree.h"
#include "meter/sensor_facts.h"
#include "profile/test_bench/fake_gpu_engine.h"
#include "profile/test_bench/torch_library.h"

namespace ergon::profile {
namespace {

using Json = nlohmann::ordered_json;

// From the kernel module: "... Kernel Module  580.95.05  Release Build ..."; empty if not found.
std::string driver_version() {
  const std::string text = read_file("/proc/driver/nvidia/version").value_or("");
  for (const std::string_view word : split(text, ' ')) {
    const bool number = !word.empty() && word.front() >= '0' && word.front() <= '9';
    if (number && word.find('.') != std::string_view::npos) return std::string(word);
  }
  return "";
}

void note(const TestBench::Host& host, std::string_view text) {
  if (host.notify) host.notify(text);
}

}  // namespace

Result<std::unique_ptr<TestBench>> TestBench::open(const Settings& settings, const Host& host) {
  std::unique_ptr<TestBench> bench(new TestBench(settings));
  const auto kind = device::kind_of_name(settings.device);
  const auto opened = kind == device::NameKind::processor ? bench->open_processor(host)
                      : kind == device::NameKind::gpu     ? bench->open_gpu(host)
                                                          : bench->open_twin();
  if (!opened) return opened.error();
  return bench;
}

Result<> TestBench::open_twin() {
  const auto specification = device::find_device(settings_.device);
  if (!specification) {
    return specification.error().kind == Errc::unknown_name
               ? fail(Errc::unknown_name, "{}; cpu and gpu0, gpu1, ... (CUDA) are valid too",
                      specification.error().message)
               : specification.error();
  }
  auto twin = TwinBench::open(*specification, SystemClock().wall_now(), settings_.seed);
  if (!twin) return twin.error();
  twin_ = std::move(*twin);
  engine_ = twin_.get();
  power_meter_ = twin_.get();
  clock_ = &twin_->clock();
  return {};
}

Result<> TestBench::open_processor(const Host& host) {
  const auto torch = torch_library();
  if (!torch) return torch.error();
  auto engine = (*torch)->open_processor(host.clock);
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  clock_ = &host.clock;
  machine_ = device::Machine::open(host.notify);
  start_meter(machine_->processors(), host);
  return {};
}

Result<> TestBench::open_gpu(const Host& host) {
  clock_ = &host.clock;
  machine_ = device::Machine::open(host.notify);
  const auto selected = machine_->select({settings_.device});
  if (!selected || !selected->front()->simulated()) return open_cuda(host, selected);
  gpu_ = selected->front();
  auto engine = FakeGpuEngine::open(*gpu_, host.clock);
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  start_meter({gpu_}, host);
  return {};
}

Result<> TestBench::open_cuda(const Host& host, const Result<std::vector<device::Device*>>& selected) {
  const auto torch = torch_library();
  if (!torch) return torch.error();
  const auto cuda = (*torch)->cuda_devices();
  if (!cuda) {
    return fail(cuda.error().kind, "{}; use {}a twin, for example h200", cuda.error().message,
                settings_.processor_too ? "--device cpu or " : "");
  }
  if (!selected) return selected.error();
  gpu_ = selected->front();
  const auto same = std::find_if(cuda->begin(), cuda->end(), [&](const auto& each) {
    return lower(each.uuid) == lower(gpu_->identity().uuid);
  });
  if (same == cuda->end()) {
    return fail(Errc::not_found, "{} ({}) is not visible to CUDA; check CUDA_VISIBLE_DEVICES",
                gpu_->identity().id, gpu_->identity().uuid);
  }
  auto engine = (*torch)->open_gpu(*same, host.clock);
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  start_meter({gpu_}, host);
  return {};
}

// Without energy readings time is still measured, so a failure is only a note.
void TestBench::start_meter(std::vector<device::Device*> devices, const Host& host) {
  if (!settings_.measure_energy) return;
  if (devices.empty()) {
    note(host, "energy is not measured: the processor's counters cannot be read");
    return;
  }
  auto metered = MeteredDevices::start(std::move(devices), host.clock, host.stop);
  if (!metered) {
    note(host, fmt::format("energy is not measured: {}", metered.error().message));
    return;
  }
  metered_ = std::move(*metered);
  power_meter_ = metered_.get();
}

Result<> TestBench::check_clock(std::optional<Hertz> clock) {
  if (!clock) return {};
  if (twin_) {
    auto held = twin_->hold_clock(clock);
    if (held) held = twin_->hold_clock(std::nullopt);
    return held;
  }
  const auto supported = gpu_ != nullptr ? gpu_->supported_clocks(device::ClockDomain::core)
                                         : Result<std::vector<Hertz>>(fail(Errc::unsupported, "no clocks"));
  if (!supported || supported->empty()) return {};
  if (*clock >= supported->front() && *clock <= supported->back()) return {};
  return fail(Errc::invalid_input, "{}: the core clock must be from {} to {}, not {}", gpu_->identity().id,
              to_text(supported->front()), to_text(supported->back()), to_text(*clock));
}

Result<device::LeaseStore> TestBench::lease_store() {
  if (!settings_.allow_control) return fail(Errc::permission, "locking a clock requires --allow-control");
  if (lease_store_) return *lease_store_;
  const auto folder = device::state_folder();
  if (!folder) return folder.error();
  auto store = device::lease_store(*folder);
  if (!store) return store;
  if (auto guarded = device::start_lease_guard(); !guarded) return guarded.error();
  lease_store_ = *store;
  return store;
}

Result<> TestBench::hold_clock(std::optional<Hertz> clock) {
  if (twin_) return twin_->hold_clock(clock);
  if (!clock && !lease_) return {};
  if (gpu_ == nullptr) return fail(Errc::unsupported, "--clocks: only GPUs and twins have clocks to lock");
  if (auto leased = lease_gpu(); !leased) return leased;
  // The default clock is the previous state, which is not necessarily unlocked.
  auto done = clock ? lease_->lock_clocks(device::ClockDomain::core, {*clock, *clock}) : restore();
  constexpr Seconds kSettles{0.1};
  clock_->sleep_until(clock_->now() + kSettles);
  return done;
}

Result<> TestBench::lease_gpu() {
  if (lease_) return {};
  const auto store = lease_store();
  if (!store) return store.error();
  auto lease = device::Lease::acquire(*gpu_, *store, device::ControlAllowed::by_user());
  if (!lease) return lease.error().in(gpu_->identity().id);
  lease_.emplace(std::move(*lease));
  return {};
}

Result<> TestBench::lock_clock(Hertz clock) {
  ERGON_EXPECTS(gpu_ != nullptr);
  if (auto leased = lease_gpu(); !leased) return leased;
  return lease_->lock_clocks(device::ClockDomain::core, {clock, clock});
}

Result<> TestBench::release() { return lease_ ? restore() : Result<>(); }

Result<> TestBench::restore() {
  const auto report = lease_->release();
  lease_.reset();
  if (report.failed.empty()) return {};
  return fail(Errc::io, "{}: {}", gpu_->identity().id, to_text(report.failed.front()));
}

std::vector<std::int64_t> TestBench::other_processes() const {
  std::vector<std::int64_t> all;
  if (gpu_ == nullptr) return all;
  const auto processes = gpu_->processes();
  if (!processes) return all;
  for (const auto& process : *processes) {
    if (meter::process_relation(process.pid, ::getpid()) == meter::ProcessRelation::unrelated)
      all.push_back(process.pid);
  }
  return all;
}

Result<> TestBench::wait_until_idle(const Host& host) const {
  bool noted = false;
  for (auto others = other_processes(); !others.empty(); others = other_processes()) {
    if (host.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    if (!noted) note(host, fmt::format("waiting: the GPU is used by process {}", fmt::join(others, ", ")));
    noted = true;
    constexpr Seconds kPollInterval{0.5};
    host.clock.sleep_until(host.clock.now() + kPollInterval);
  }
  return {};
}

Json TestBench::json() const {
  const EngineFacts& facts = engine_->facts();
  Json json = {{"device", facts.device},
               {"uuid", facts.uuid},
               {"place", facts.target},
               {"engine", facts.engine},
               {"engine_version", facts.version},
               {"simulated", facts.simulated},
               {"cache_bytes", facts.cache ? Json(facts.cache->si()) : Json(nullptr)},
               {"energy", power_meter_ != nullptr}};
  if (gpu_ != nullptr) {
    if (const auto limits = gpu_->power_limits()) json["power_limit_watts"] = limits->current.si();
    if (const auto sensor = meter::best_sensor(*gpu_)) json["power_field"] = device::name_of(sensor->field);
    const std::string driver = gpu_->simulated() ? "" : driver_version();
    if (!driver.empty()) json["driver"] = driver;
  }
  return json;
}

}  // namespace ergon::profile
