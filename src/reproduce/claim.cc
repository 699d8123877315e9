#include "reproduce/claim.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/wrapped_text.h"

namespace ergon::reproduce {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::exactly:
      return "exactly";
    case Verdict::approximately:
      return "approximately";
    case Verdict::no:
      return "no";
    case Verdict::not_checked:
      return "not checked";
  }
  return "?";
}

std::string_view name_of(ClaimSource source) {
  switch (source) {
    case ClaimSource::measured:
      return "measured";
    case ClaimSource::model:
      return "model";
    case ClaimSource::timed:
      return "timed";
  }
  return "?";
}

Claim not_checked(Claim claim, std::string_view why) {
  claim.ours = fmt::format("not checked: {}", why);
  claim.verdict = Verdict::not_checked;
  claim.reason.clear();
  claim.source.reset();
  return claim;
}

Verdict holds_if(bool holds) { return holds ? Verdict::exactly : Verdict::no; }

Verdict compare_percent(double paper, int digits, double ours) {
  const double unit = std::pow(10, -digits), miss = std::abs(ours - paper);
  if (miss <= unit / 2 + 1e-9) return Verdict::exactly;
  return miss <= std::max(3.0, paper / 10) ? Verdict::approximately : Verdict::no;
}

bool all_hold(const std::vector<Claim>& claims) {
  return std::none_of(claims.begin(), claims.end(),
                      [](const Claim& claim) { return claim.verdict == Verdict::no; });
}

ClaimCounts& ClaimCounts::operator+=(const ClaimCounts& other) {
  claims += other.claims;
  exactly += other.exactly;
  approximately += other.approximately;
  no += other.no;
  not_checked += other.not_checked;
  return *this;
}

ClaimCounts count_of(const std::vector<Claim>& claims) {
  const auto with = [&](Verdict verdict) {
    return static_cast<std::size_t>(std::count_if(
        claims.begin(), claims.end(), [&](const Claim& claim) { return claim.verdict == verdict; }));
  };
  return {claims.size(), with(Verdict::exactly), with(Verdict::approximately), with(Verdict::no),
          with(Verdict::not_checked)};
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

// "holds: exactly, fitted", "holds: no (measured)" or "not checked".
std::string verdict_text(const Claim& claim) {
  if (claim.verdict == Verdict::not_checked) return std::string(name_of(claim.verdict));
  return fmt::format("holds: {}{}{}", name_of(claim.verdict), claim.fitted ? ", fitted" : "",
                     claim.source ? fmt::format(" ({})", name_of(*claim.source)) : "");
}

nlohmann::ordered_json text_or_null(std::string_view text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace

std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style) {
  const std::size_t width = std::min(kMaxColumns, style.width.value_or(kMaxColumns));
  std::map<std::string, std::size_t> numbers;  // first claim with this reason
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    text += fmt::format("{}{:>2}  {}  {}\n", i == 0 ? "" : "\n", i + 1, claim.where, verdict_text(claim));
    text += indented(claim.claim, width) + both_values_text(claim, width);
    if (claim.reason.empty()) continue;
    const auto [first, is_new] = numbers.emplace(claim.reason, i + 1);
    text += indented(is_new ? "reason: " + claim.reason : fmt::format("reason: see claim {}", first->second),
                     width);
  }
  return text;
}

nlohmann::ordered_json claims_json(const std::vector<Claim>& claims) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Claim& claim : claims) {
    const bool checked = claim.verdict != Verdict::not_checked;
    json.push_back({{"id", text_or_null(claim.id)},
                    {"where", claim.where},
                    {"claim", claim.claim},
                    {"paper", claim.paper},
                    {"ours", claim.ours},
                    {"holds", checked ? text_or_null(name_of(claim.verdict)) : text_or_null("")},
                    {"source", claim.source ? text_or_null(name_of(*claim.source)) : text_or_null("")},
                    {"fitted", claim.fitted},
                    {"reason", text_or_null(claim.reason)}});
  }
  return json;
}

}  // namespace ergon::reproduce
