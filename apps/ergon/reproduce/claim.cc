#include "reproduce/claim.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/text_table.h"

namespace ergon::app {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::exactly:
      return "exactly";
    case Verdict::approximately:
      return "approximately";
    case Verdict::no:
      return "no";
  }
  return "?";
}

Verdict holds_if(bool holds) { return holds ? Verdict::exactly : Verdict::no; }

Verdict compare_percent(double paper, int digits, double ours) {
  const double unit = std::pow(10, -digits), miss = std::abs(ours - paper);
  if (miss <= unit / 2 + 1e-9) return Verdict::exactly;
  return miss <= std::max(3.0, paper / 10) ? Verdict::approximately : Verdict::no;
}

namespace {

constexpr std::size_t kColumns = 110;

// Lines of words, all but the first set in.
std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t column = 0;
  for (const std::string_view word : split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > kColumns) {
      lines += "\n   ";
      column = 3;
    }
    if (column > 0) lines += ' ', ++column;
    lines += word;
    column += word.size();
  }
  return lines;
}

}  // namespace

std::string reasons_text(const std::vector<std::string>& reasons) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> claims_of;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].empty()) continue;
    std::vector<std::size_t>& numbers = claims_of[reasons[i]];
    if (numbers.empty()) order.push_back(reasons[i]);
    numbers.push_back(i + 1);
  }
  std::string text;
  for (const std::string& reason : order)
    text += wrapped(fmt::format("{}: {}", fmt::join(claims_of[reason], ", "), reason)) + "\n";
  return text;
}

std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style) {
  report::TextTable table({{"", report::Align::right}, {"where"}, {"claim"}, {"paper"}, {"here"}, {"holds"}});
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    table.row({std::to_string(i + 1), claim.where, claim.claim, claim.paper, claim.ours,
               fmt::format("{}{}", name_of(claim.verdict), claim.fitted ? ", fitted" : "")});
    reasons.push_back(claim.reason);
  }
  return fmt::format("{}\n{}", table.text(style), reasons_text(reasons));
}

nlohmann::ordered_json claims_json(const std::vector<Claim>& claims) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Claim& claim : claims) {
    json.push_back({{"where", claim.where},
                    {"claim", claim.claim},
                    {"paper", claim.paper},
                    {"ours", claim.ours},
                    {"holds", name_of(claim.verdict)},
                    {"fitted", claim.fitted},
                    {"reason", claim.reason.empty() ? nlohmann::ordered_json(nullptr)
                                                    : nlohmann::ordered_json(claim.reason)}});
  }
  return json;
}

}  // namespace ergon::app
