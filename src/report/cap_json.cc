#include "report/cap_json.h"

#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "base/si_prefixes.h"
#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

Json decision_json(const control::Decision& decision) {
  const control::Feedback& feedback = decision.feedback;
  const auto& temperature = feedback.temperature;
  return {{"time_seconds", feedback.at.si()},
          {"batch", feedback.point.batch},
          {"clock_hertz", or_null(feedback.point.clock)},
          {"power_watts", or_null(feedback.power)},
          {"mean_power_watts", or_null(feedback.mean_power)},
          {"cap_watts", feedback.cap.si()},
          {"throughput_samples_per_second", feedback.throughput()},
          {"latency_seconds", or_null(feedback.latency)},
          {"temperature_celsius", temperature ? Json(temperature->degrees()) : Json(nullptr)},
          {"next_batch", decision.next.point.batch},
          {"next_clock_hertz", or_null(decision.next.point.clock)},
          {"reason", decision.next.reason}};
}

Json compliance_json(const control::Compliance& cap) {
  return {{"time_seconds", cap.at.si()},
          {"cap_watts", cap.cap.si()},
          {"origin", cap.origin},
          {"took_seconds", or_null(cap.took)},
          {"decisions", cap.decisions}};
}

Json best_json(const std::optional<control::OraclePoint>& best) {
  if (!best) return nullptr;
  return {{"batch", best->point.batch},
          {"clock_hertz", or_null(best->point.clock)},
          {"power_watts", best->there.power.si()},
          {"latency_seconds", best->there.time.si()}};
}

// Throughput under the last cap. The decision that received the cap was still made under the previous one.
double last_throughput(const control::CapRun& run) {
  double samples = 0;
  Seconds time;
  for (const control::Decision& each : run.decisions) {
    if (each.feedback.at <= run.caps.back().at) continue;
    samples += each.feedback.samples;
    time += each.feedback.lasted;
  }
  return time > Seconds{0} ? samples / time.si() : 0;
}

}  // namespace

bool CapReport::settled() const {
  constexpr std::size_t kUnchanged = 3;
  return summary.settled_decisions + kUnchanged <= summary.decisions;
}

std::optional<double> CapReport::share_of_best() const {
  if (!best || best->throughput <= 0) return std::nullopt;
  const double reached = settled() ? summary.settled_throughput : last_throughput(run);
  return reached / best->throughput;
}

CapReport cap_report(control::CapRun run, const control::Target& target,
                     const control::TargetSettings& settings, std::vector<std::string> not_held) {
  ERGON_EXPECTS(!run.caps.empty());
  CapReport report{std::move(run), {}, {}, std::move(not_held)};
  report.summary = control::summary_of(report.run);
  report.best_known = target.truth && !settings.arrival_rate;
  if (report.best_known) {
    const auto optimum =
        control::oracle(*target.truth, target.plant->knobs(), report.run.caps.back().cap, settings.latency);
    if (optimum.within_cap) report.best = optimum.best;
  }
  auto& remarks = report.run.remarks;
  remarks.insert(remarks.begin(), target.remarks.begin(), target.remarks.end());
  return report;
}

Json cap_json(const CapReport& report) {
  const control::CapRun& run = report.run;
  const control::Summary& summary = report.summary;
  const auto& best = report.best;
  ERGON_EXPECTS(!run.decisions.empty() && !run.caps.empty());
  const auto share = report.share_of_best();
  Json json = {
      {"controller", run.controller},
      {"duration_seconds", summary.lasted.si()},
      {"cap_watts", run.caps.back().cap.si()},
      {"throughput_samples_per_second", summary.throughput},
      {"settled_throughput_samples_per_second", summary.settled_throughput},
      {"power_mean_watts", summary.mean_power.si()},
      {"power_max_watts", summary.max_power.si()},
      {"violation_seconds", summary.violation.si()},
      {"longest_violation_seconds", summary.longest_violation.si()},
      {"violation_watt_seconds", summary.violation_energy.si()},
      {"violation_once_settled_seconds", summary.violation_after_settling.si()},
      {"mean_batch", summary.mean_batch},
      {"mean_clock_mhz", summary.mean_clock ? Json(summary.mean_clock->si() / kMega) : Json(nullptr)},
      {"changes", summary.changes},
      {"settled", report.settled()},
      {"settle_seconds", summary.settled_after.si()},
      {"settle_decisions", summary.settled_decisions},
      {"latency_p99_seconds", or_null(summary.latency)},
      {"oracle_throughput", best ? Json(best->throughput) : Json(nullptr)},
      {"oracle", best_json(best)},
      {"share_of_oracle", share ? Json(*share) : Json(nullptr)},
      {"caps", Json::array()},
      {"not_held", report.not_held},
      {"remarks", run.remarks},
      {"decisions", Json::array()}};
  for (const control::Compliance& cap : run.caps) json["caps"].push_back(compliance_json(cap));
  for (const control::Decision& each : run.decisions) json["decisions"].push_back(decision_json(each));
  return json;
}

}  // namespace ergon::report
