#pragma once

#include <string>
#include <vector>

#include "profile/runner.h"
#include "profile/validation.h"
#include "report/table_style.h"

namespace ergon::app {

struct ProfilePlace {
  std::string device, folder;
  bool simulated = false;
};

// What a run has measured: the networks, and how the rows ended.
std::string profile_text(const profile::RunSummary& summary, const std::vector<profile::Row>& networks,
                         const ProfilePlace& place, const report::TableStyle& style);

// Sums beside wholes, and what they say together.
std::string validation_text(const profile::Validation& validation, double tolerance, const report::TableStyle& style);

}  // namespace ergon::app
