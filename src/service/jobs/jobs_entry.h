#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/jobs/decision_log_reader.h"
#include "service/jobs/job_execution.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/jobs.h"
#include "service/jobs/limit_monitor.h"
#include "service/jobs/line_tail.h"

namespace ergon::service {

// A job with its execution and its decisions.
struct Jobs::Entry {
  Entry(Job initial, const std::filesystem::path& folder)
      : job(std::move(initial)), log(folder / kDecisionFile) {}

  Job job;
  std::unique_ptr<JobExecution> execution;  // while it runs
  std::optional<LimitMonitor> monitor;      // while it runs
  std::string excess;                       // the limit for which it is stopped
  std::uint64_t version = 1;
  LineTail log;
  DecisionLogReader reader;
  std::vector<std::string> decisions;  // JSON texts
  std::uint64_t violations = 0;

  // Returns true if there were new decisions.
  bool read_decisions() {
    const std::size_t before = decisions.size();
    for (const std::string& line : log.read_new_lines()) {
      const auto decision = reader.read(line);
      if (!decision) continue;
      decisions.push_back(decision->dump());
      const auto power = decision->find("power_watts"), held = decision->find("cap_watts");
      if (power != decision->end() && power->is_number() && held != decision->end() && held->is_number())
        violations += power->get<double>() > held->get<double>() ? 1U : 0U;
    }
    return decisions.size() > before;
  }
};

}  // namespace ergon::service
