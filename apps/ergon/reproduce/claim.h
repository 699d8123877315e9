#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"

namespace ergon::app {

// How far a published claim holds here.
enum class Verdict { exactly, approximately, no };
std::string_view name_of(Verdict verdict);

struct Claim {
  std::string where;  // in the paper
  std::string claim;  // in our words
  std::string paper;  // its number, as printed
  std::string ours;
  Verdict verdict = Verdict::no;
  std::string reason;
  bool fitted = false;  // parameters, or a rule, were chosen so that it comes out
  std::string id = {};  // for programs, where there is one
};

// A claim without a number.
Verdict holds_if(bool holds);

// A number in percent: exactly when it rounds to what is printed (with `digits` behind the point),
// approximately within 3 points or a tenth of the printed number.
Verdict compare_percent(double paper, int digits, double ours);

// "3, 5: because", one line or more each; claims with the same reason share it.
std::string reasons_text(const std::vector<std::string>& reasons);
std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style);
nlohmann::ordered_json claims_json(const std::vector<Claim>& claims);

}  // namespace ergon::app
