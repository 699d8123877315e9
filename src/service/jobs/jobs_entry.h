#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "service/jobs/decision_log.h"
#include "service/jobs/job_execution.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/jobs.h"
#include "service/jobs/limit_monitor.h"

namespace ergon::service {

// A job with its execution, and what is known of its decisions.
struct Jobs::Entry {
  Entry(Job initial, const std::filesystem::path& folder)
      : job(std::move(initial)), log(folder / kDecisionFile) {}

  Job job;
  std::unique_ptr<JobExecution> execution;  // while it runs
  std::optional<LimitMonitor> monitor;      // while it runs
  std::string excess;                       // the limit for which it is stopped
  std::uint64_t version = 1;
  // Of a running cap job.
  DecisionLog log;
  std::uint64_t decisions = 0, violations = 0;
  nlohmann::ordered_json last_decision;

  // Returns true if there were new decisions. Reads 256 KiB of the log at most, as all jobs wait for it.
  bool read_decisions() {
    constexpr int kPieces = 16;
    const std::uint64_t before = decisions;
    for (int i = 0; i < kPieces; ++i) {
      log.read([this](nlohmann::ordered_json decision) { count(std::move(decision)); });
      if (log.at_end()) break;
    }
    return decisions > before;
  }

 private:
  void count(nlohmann::ordered_json decision) {
    ++decisions;
    const auto power = decision.find("power_watts"), held = decision.find("cap_watts");
    if (power != decision.end() && power->is_number() && held != decision.end() && held->is_number())
      violations += power->get<double>() > held->get<double>() ? 1U : 0U;
    last_decision = std::move(decision);
  }
};

}  // namespace ergon::service
