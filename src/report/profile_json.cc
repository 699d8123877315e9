#include "report/profile_json.h"

#include <nlohmann/json.hpp>

#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

Json condition_json(const std::string& network, const profile::RunCondition& condition,
                    profile::Launch launch, const std::optional<Hertz>& clock) {
  return {{"network", network},
          {"batch", condition.batch},
          {"mode", profile::name_of(condition.mode)},
          {"precision", name_of(condition.precision)},
          {"layout", name_of(condition.layout)},
          {"launch", name_of(launch)},
          {"requested_clock_hertz", or_null(clock)}};
}

Json accuracy_json(const profile::SumAccuracy& accuracy) {
  return {{"networks", accuracy.networks},
          {"median_time_error", or_null(accuracy.median_time_error)},
          {"worst_time_error", or_null(accuracy.worst_time_error)},
          {"median_energy_error", or_null(accuracy.median_energy_error)},
          {"worst_energy_error", or_null(accuracy.worst_energy_error)}};
}

}  // namespace

Json profile_json(const profile::RunSummary& summary, const std::vector<profile::Row>& networks) {
  Json rows = Json::object();
  for (const auto& [status, count] : summary.rows) rows[std::string(name_of(status))] = count;
  Json all = Json::array();
  for (const profile::Row& row : networks) {
    Json one = condition_json(row.subject.name, row.condition, row.launch, row.requested_clock);
    one["repeat"] = row.repeat;
    one["status"] = name_of(row.status);
    one["detail"] = row.detail;
    one["iterations"] = row.iterations;
    one["time_seconds"] = or_null(row.time);
    one["time_deviation_seconds"] = or_null(row.time_deviation);
    one["host_seconds"] = or_null(row.host_time);
    one["power_watts"] = or_null(row.power);
    one["power_deviation_watts"] = or_null(row.power_deviation);
    one["energy_joules"] = or_null(row.energy);
    one["energy_uncertainty_joules"] = or_null(row.energy_uncertainty);
    one["valid"] = row.valid;
    one["reasons"] = row.reasons;
    all.push_back(std::move(one));
  }
  return {{"rows", std::move(rows)},
          {"invalid", summary.invalid},
          {"already_measured", summary.already_measured},
          {"not_reached", summary.not_reached},
          {"networks", std::move(all)}};
}

Json validation_json(const profile::Validation& validation) {
  Json checks = Json::array();
  for (const profile::SumCheck& check : validation.checks) {
    Json one = condition_json(check.network.subject, check.network.condition, check.network.launch,
                              check.network.clock);
    one["device"] = check.network.device;
    one["valid"] = check.valid;
    one["operations"] = check.parts;
    one["missing"] = check.missing;
    one["time_seconds"] = check.measured_time.si();
    one["sum_seconds"] = check.summed_time.si();
    one["sum_deviation_seconds"] = or_null(check.summed_time_deviation);
    one["sum_host_seconds"] = check.summed_host.si();
    one["time_error"] = check.time_error();
    one["energy_joules"] = or_null(check.measured_energy);
    one["sum_joules"] = or_null(check.summed_energy);
    one["sum_deviation_joules"] = or_null(check.summed_energy_deviation);
    one["energy_error"] = or_null(check.energy_error());
    one["verdict"] = name_of(check.verdict);
    one["explanation"] = check.explanation;
    checks.push_back(std::move(one));
  }
  return {{"checks", std::move(checks)},
          {"large_batches", accuracy_json(validation.large)},
          {"small_batches", accuracy_json(validation.small)}};
}

}  // namespace ergon::report
