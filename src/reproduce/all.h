#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "predict/learn/learner.h"
#include "report/table_style.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"
#include "reproduce/thesis/study.h"

namespace ergon::reproduce {

struct AllOptions {
  // Of the data files of all papers, or of a folder per paper ("thesis", "terascope"). Absent: the defaults.
  std::optional<std::string> folder;
  ReadTables read_tables;
};

// All five papers, one after the other. Claims whose data is missing are not checked. Errors: those of the
// papers; interrupted.
Result<Reproduction> reproduce_all(const AllOptions& options, const predict::Learner& learner,
                                   const Environment& environment);

// A line per claim under a heading per paper, and a table with the number of claims by verdict.
std::string all_text(const std::vector<Reproduction>& papers, const report::TableStyle& style);
// ergon.reproduce.all (docs/json.md).
nlohmann::ordered_json all_json(const std::vector<Reproduction>& papers);

}  // namespace ergon::reproduce
