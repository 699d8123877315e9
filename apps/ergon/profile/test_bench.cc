#include "profile/test_bench.h"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalog.h"
#include "devices/lease_guard.h"
#include "meter/process_tree.h"
#include "meter/sensor_facts.h"
#include "profile/fake_gpu_engine.h"
#include "profile/torch_library.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// From the kernel module: "... Kernel Module  580.95.05  Release Build ..."; empty if not found.
std::string driver_version() {
  const std::string text = read_file("/proc/driver/nvidia/version").value_or("");
  for (const std::string_view word : split(text, ' ')) {
    const bool number = !word.empty() && word.front() >= '0' && word.front() <= '9';
    if (number && word.find('.') != std::string_view::npos) return std::string(word);
  }
  return "";
}

}  // namespace

bool TestBench::is_processor(const std::string& name) { return lower(name) == "cpu"; }

bool TestBench::is_gpu(const std::string& name) {
  const std::string id = lower(name);
  return is_number(id) || id.starts_with("gpu-") || (id.starts_with("gpu") && is_number(id.substr(3)));
}

Result<std::unique_ptr<TestBench>> TestBench::open(const Settings& settings, Shell& shell) {
  std::unique_ptr<TestBench> bench(new TestBench(settings));
  const auto opened = is_processor(settings.device) ? bench->open_processor(shell)
                      : is_gpu(settings.device)     ? bench->open_gpu(shell)
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
  auto twin = profile::TwinBench::open(*specification, SystemClock().wall_now(), settings_.seed);
  if (!twin) return twin.error();
  twin_ = std::move(*twin);
  engine_ = twin_.get();
  power_meter_ = twin_.get();
  clock_ = &twin_->clock();
  return {};
}

Result<> TestBench::open_processor(Shell& shell) {
  const auto torch = torch_library();
  if (!torch) return torch.error();
  auto engine = (*torch)->open_processor(shell.clock());
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  clock_ = &shell.clock();
  machine_ = Machine::open(shell);
  start_meter(machine_->processors(), shell);
  return {};
}

Result<> TestBench::open_gpu(Shell& shell) {
  clock_ = &shell.clock();
  machine_ = Machine::open(shell);
  const auto selected = machine_->select({settings_.device});
  if (!selected || !selected->front()->simulated()) return open_cuda(shell, selected);
  gpu_ = selected->front();
  auto engine = FakeGpuEngine::open(*gpu_, shell.clock());
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  start_meter({gpu_}, shell);
  return {};
}

Result<> TestBench::open_cuda(Shell& shell, const Result<std::vector<device::Device*>>& selected) {
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
  auto engine = (*torch)->open_gpu(*same, shell.clock());
  if (!engine) return engine.error();
  own_engine_ = std::move(*engine);
  engine_ = own_engine_.get();
  start_meter({gpu_}, shell);
  return {};
}

// Without energy readings time is still measured, so a failure is only a note.
void TestBench::start_meter(std::vector<device::Device*> devices, Shell& shell) {
  if (!settings_.measure_energy) return;
  if (devices.empty()) {
    shell.note("energy is not measured: the processor's counters cannot be read");
    return;
  }
  auto metered = profile::MeteredDevices::start(std::move(devices), shell.clock(), shell.stop());
  if (!metered) {
    shell.note(fmt::format("energy is not measured: {}", metered.error().message));
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
  if (auto guarded = start_lease_guard(); !guarded) return guarded.error();
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

Json TestBench::json() const {
  const profile::EngineFacts& facts = engine_->facts();
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

}  // namespace ergon::app
