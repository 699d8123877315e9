#include "reproduce/claim.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/wrapped_text.h"

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

constexpr std::size_t kMaxColumns = 80;
constexpr std::size_t kClaimIndent = 4;

// One paragraph of a claim's block.
std::string indented(std::string_view text, std::size_t width) {
  return fmt::format("{:{}}{}\n", "", kClaimIndent, report::wrapped(text, kClaimIndent, kClaimIndent, width));
}

// "paper: 27 layers    here: 27 layers", on two lines if one is too short.
std::string both_values_text(const Claim& claim, std::size_t width) {
  const std::string ours = "here: " + claim.ours;
  if (claim.paper.empty()) return indented(ours, width);
  const std::string paper = "paper: " + claim.paper, both = paper + "    " + ours;
  if (kClaimIndent + both.size() <= width) return fmt::format("{:{}}{}\n", "", kClaimIndent, both);
  return indented(paper, width) + indented(ours, width);
}

}  // namespace

std::string claims_text(std::span<const JudgedClaim> claims, const report::TableStyle& style) {
  const std::size_t width = std::min(kMaxColumns, style.width.value_or(kMaxColumns));
  std::map<std::string, std::size_t> numbers;  // first claim with this reason
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = *claims[i].claim;
    text += fmt::format("{}{:>2}  {}  {}\n", i == 0 ? "" : "\n", i + 1, claim.where, claims[i].verdict);
    text += indented(claim.claim, width) + both_values_text(claim, width);
    if (claim.reason.empty()) continue;
    const auto [first, is_new] = numbers.emplace(claim.reason, i + 1);
    text += indented(is_new ? "reason: " + claim.reason : fmt::format("reason: see claim {}", first->second),
                     width);
  }
  return text;
}

std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style) {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : claims)
    judged.push_back(
        {&claim, fmt::format("holds: {}{}", name_of(claim.verdict), claim.fitted ? ", fitted" : "")});
  return claims_text(judged, style);
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
