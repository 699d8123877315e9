#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/claim.h"

namespace ergon::reproduce {

// Result of a paper's study: claims with verdicts, and text and document of the study.
struct Reproduction {
  std::string paper;                // name of the command: "v100s", or "all"
  std::string title;                // title and authors
  std::string schema;               // of the document
  std::vector<std::string> inputs;  // files and folders that were read
  bool simulated = true;
  std::vector<Claim> claims;
  // Which files are not there and where to get them, one line per paper.
  std::vector<std::string> missing_data;

  std::function<std::string(const report::TableStyle&, bool claims_only)> text;
  std::function<nlohmann::ordered_json(bool claims_only)> json;
};

}  // namespace ergon::reproduce
