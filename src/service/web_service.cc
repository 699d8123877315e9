#include "service/web_service.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "service/metrics/cap_gauge.h"
#include "service/metrics/exposition.h"
#include "service/metrics/gauges_json.h"
#include "service/metrics/gpu_metrics.h"
#include "service/metrics/resident_memory.h"

namespace ergon::service {

WebService::WebService(WebServiceParts parts, Clock& clock)
    : parts_(std::move(parts)),
      started_(clock.wall_now()),
      monitor_(std::move(parts_.devices), clock),
      api_(parts_.run, *parts_.jobs, parts_.results, [this] { return gauges(); }) {}

Response WebService::answer(const Request& request) { return counted(route(request)); }

Admission WebService::admit(const Request& head) {
  if (auto refused = parts_.guard.refusal(head)) return {.response = counted(std::move(*refused))};
  if (is_page_path(head.path)) return {.response = counted(site_answer(head, parts_.files))};
  if (auto cached = api_.cached(head)) return {.response = counted(std::move(*cached))};
  return {.lane = Api::is_costly(head) ? Lane::costly : Lane::quick};
}

Response WebService::counted(Response response) {
  add_security_headers(response);
  const std::lock_guard lock(requests_mutex_);
  requests_.count(response.status);
  return response;
}

Response WebService::route(const Request& request) {
  if (auto refused = parts_.guard.refusal(request)) return std::move(*refused);
  if (request.path.starts_with("/api/v1/")) return api_.answer(request);
  if (request.path == "/metrics") return metrics();
  return site_answer(request, parts_.files);
}

std::string WebService::gauges() const {
  const MonitorSnapshot snapshot = monitor_.snapshot();
  return parts_.document(kGaugesSchema, gauges_json(snapshot, parts_.host), simulated(snapshot));
}

Response WebService::metrics() const {
  Exposition page;
  const MonitorSnapshot snapshot = monitor_.snapshot();
  add_devices(page, snapshot, parts_.host);
  for (const HeldCap& held : parts_.jobs->held_caps()) add_cap(page, cap_gauge(held, snapshot), parts_.host);
  ServiceReading reading;
  {
    const std::lock_guard lock(requests_mutex_);
    reading.requests = requests_;
  }
  reading.jobs = counts_of(parts_.jobs->states());
  reading.version = build_facts().version;
  reading.started = started_;
  if (const auto memory = resident_memory()) reading.resident_memory = *memory;
  add_service(page, reading);
  Response response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = page.text();
  return response;
}

}  // namespace ergon::service
