#include "serve/web_service.h"

#include <array>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "devices/machine.h"
#include "serve/cap_gauge.h"
#include "serve/in_process.h"
#include "serve/site.h"
#include "service/metrics/exposition.h"
#include "service/metrics/gauges_json.h"
#include "service/metrics/gpu_metrics.h"
#include "service/metrics/real_time_twin.h"
#include "service/metrics/resident_memory.h"
#include "web/assets.h"

namespace ergon::app {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string program_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "ergon" : path.string();
}

// The machine's devices, then the twins. Each device pointer keeps the machine alive.
Result<std::vector<std::shared_ptr<device::Device>>> devices_to_monitor(const ServeSettings& settings,
                                                                        Shell& shell) {
  const auto machine = std::make_shared<Machine>(Machine::open(shell));
  std::vector<std::shared_ptr<device::Device>> devices;
  for (const auto& each : machine->devices()) devices.emplace_back(machine, each.get());
  for (std::size_t i = 0; i < settings.twins.size(); ++i) {
    auto twin = service::parse_real_time_twin(settings.twins[i], shell.clock(), i);
    if (!twin) return twin.error().in("--twin");
    devices.push_back(std::move(*twin));
  }
  return devices;
}

service::JobCounts counts_of(const std::vector<service::Job>& jobs) {
  service::JobCounts counts;
  for (const service::Job& job : jobs) {
    switch (job.state) {
      case service::JobState::running:
        ++counts.running;
        break;
      case service::JobState::done:
        ++counts.done;
        break;
      case service::JobState::failed:
        ++counts.failed;
        break;
      case service::JobState::cancelled:
        ++counts.cancelled;
        break;
      case service::JobState::interrupted:
        ++counts.interrupted;
        break;
    }
  }
  return counts;
}

}  // namespace

Result<std::unique_ptr<WebService>> WebService::open(const ServeSettings& settings, std::string token,
                                                     Shell& shell) {
  const auto results = settings.results_folder();
  auto jobs = service::Jobs::open(results / "jobs", program_path(), shell.clock());
  if (!jobs) return jobs.error();
  auto devices = devices_to_monitor(settings, shell);
  if (!devices) return devices.error();
  return std::unique_ptr<WebService>(
      new WebService(service::Guard(service::is_loopback(settings.host), std::move(token)), std::move(*jobs),
                     std::move(*devices), results, shell));
}

WebService::WebService(service::Guard guard, std::unique_ptr<service::Jobs> jobs,
                       std::vector<std::shared_ptr<device::Device>> devices, std::filesystem::path results,
                       Shell& shell)
    : guard_(std::move(guard)),
      clock_(shell.clock()),
      host_(host_name()),
      started_(clock_.wall_now()),
      jobs_(std::move(jobs)),
      monitor_(std::make_unique<service::DeviceMonitor>(std::move(devices), clock_)),
      api_([this](const std::vector<std::string>& words,
                  const std::stop_token& stop) { return run_in_process(words, clock_, stop); },
           *jobs_, std::move(results), [this] { return gauges(); }),
      shell_(shell) {}

service::Response WebService::answer(const service::Request& request) {
  service::Response response = route(request);
  add_security_headers(response);
  const std::lock_guard lock(requests_mutex_);
  requests_.count(response.status);
  return response;
}

service::Response WebService::route(const service::Request& request) {
  if (auto refused = guard_.refusal(request)) return std::move(*refused);
  if (request.path.starts_with("/api/v1/")) return api_.answer(request);
  if (request.path == "/metrics") return metrics();
  return site_answer(request, web::assets());
}

std::string WebService::gauges() const {
  const service::MonitorSnapshot snapshot = monitor_->snapshot();
  return shell_.document(service::kGaugesSchema, {}, service::gauges_json(snapshot, host_),
                         service::simulated(snapshot));
}

service::Response WebService::metrics() const {
  service::Exposition page;
  const service::MonitorSnapshot snapshot = monitor_->snapshot();
  service::add_devices(page, snapshot, host_);
  for (const service::HeldCap& held : jobs_->held_caps())
    service::add_cap(page, cap_gauge(held, snapshot), host_);
  service::ServiceReading reading;
  {
    const std::lock_guard lock(requests_mutex_);
    reading.requests = requests_;
  }
  reading.jobs = counts_of(jobs_->list());
  reading.version = build_facts().version;
  reading.started = started_;
  if (const auto memory = service::resident_memory()) reading.resident_memory = *memory;
  service::add_service(page, reading);
  service::Response response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = page.text();
  return response;
}

}  // namespace ergon::app
