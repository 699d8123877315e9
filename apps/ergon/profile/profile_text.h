#pragma once

#include <string>
#include <vector>

#include "profile/runner.h"
#include "profile/validation.h"
#include "report/table_style.h"

namespace ergon::app {

struct ProfileTarget {
  std::string device, folder;
  bool simulated = false;
  std::vector<std::string> warnings;
};

// The measured networks, the row counts by status, and the warnings.
std::string profile_text(const profile::RunSummary& summary, const std::vector<profile::Row>& networks,
                         const ProfileTarget& target, const report::TableStyle& style);

// Networks compared with the sums of their operations.
std::string validation_text(const profile::Validation& validation, double tolerance,
                            const report::TableStyle& style);

}  // namespace ergon::app
