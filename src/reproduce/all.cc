#include "reproduce/all.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/text_table.h"
#include "reproduce/arada/reproduction.h"
#include "reproduce/batchsizer/reproduction.h"
#include "reproduce/terascope/reproduction.h"
#include "reproduce/thesis/reproduction.h"
#include "reproduce/v100s/reproduction.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;

// The folder of a paper's data: its own, if there is one.
std::optional<std::string> folder_of(const std::optional<std::string>& folder, const char* paper) {
  if (!folder) return std::nullopt;
  const std::filesystem::path own = std::filesystem::path(*folder) / paper;
  std::error_code failed;
  return std::filesystem::is_directory(own, failed) ? own.string() : *folder;
}

std::string claim_lines(const Reproduction& paper, const report::TableStyle& style) {
  report::TextTable table({{"where"}, {"claim"}, {"holds"}});
  for (const Claim& claim : paper.claims)
    table.row({claim.where, claim.claim, std::string(name_of(claim.verdict))});
  return table.text(style);
}

std::string summary_table(const std::vector<Reproduction>& papers, const report::TableStyle& style) {
  report::TextTable table({{"paper"},
                           {"claims", Align::right},
                           {"hold exactly", Align::right},
                           {"approximately", Align::right},
                           {"do not hold", Align::right},
                           {"not checked", Align::right}});
  const auto add = [&](const std::string& name, const ClaimCounts& counts) {
    table.row({name, std::to_string(counts.claims), std::to_string(counts.exactly),
               std::to_string(counts.approximately), std::to_string(counts.no),
               std::to_string(counts.not_checked)});
  };
  ClaimCounts all;
  for (const Reproduction& paper : papers) {
    const ClaimCounts counts = count_of(paper.claims);
    add(paper.paper, counts);
    all += counts;
  }
  add("all", all);
  return table.text(style);
}

Json counts_json(const ClaimCounts& counts) {
  return {{"claims", counts.claims},
          {"exactly", counts.exactly},
          {"approximately", counts.approximately},
          {"no", counts.no},
          {"not_checked", counts.not_checked}};
}

Result<std::vector<Reproduction>> reproduce_papers(const AllOptions& options, const predict::Learner& learner,
                                                   const Environment& environment) {
  ThesisOptions thesis;
  thesis.folder = folder_of(options.folder, "thesis");
  thesis.read_tables = options.read_tables;
  TeraScopeOptions terascope;
  terascope.folder = folder_of(options.folder, "terascope").value_or("");
  terascope.require_data = false;
  struct Study {
    const char* paper;
    std::function<Result<Reproduction>()> run;
  };
  const std::array<Study, 5> studies{
      {{"v100s", [&] { return reproduce_v100s(std::nullopt, environment); }},
       {"thesis", [&] { return reproduce_thesis(thesis, learner, environment); }},
       {"batchsizer", [&] { return reproduce_batchsizer(environment); }},
       {"arada", [&] { return reproduce_arada(environment); }},
       {"terascope", [&] { return reproduce_terascope(terascope, environment); }}}};
  std::vector<Reproduction> papers;
  for (const Study& study : studies) {
    environment.note(fmt::format("{} ({} of {})", study.paper, papers.size() + 1, studies.size()));
    auto reproduced = study.run();
    if (!reproduced) return reproduced.error().in(study.paper);
    papers.push_back(std::move(*reproduced));
  }
  return papers;
}

}  // namespace

Result<Reproduction> reproduce_all(const AllOptions& options, const predict::Learner& learner,
                                   const Environment& environment) {
  auto studied = reproduce_papers(options, learner, environment);
  if (!studied) return studied.error();
  const auto papers = std::make_shared<const std::vector<Reproduction>>(std::move(*studied));
  Reproduction all;
  all.paper = "all";
  all.schema = "ergon.reproduce.all/1";
  all.simulated = false;
  for (const Reproduction& paper : *papers) {
    all.inputs.insert(all.inputs.end(), paper.inputs.begin(), paper.inputs.end());
    all.simulated = all.simulated || paper.simulated;
    all.claims.insert(all.claims.end(), paper.claims.begin(), paper.claims.end());
    all.missing_data.insert(all.missing_data.end(), paper.missing_data.begin(), paper.missing_data.end());
  }
  all.text = [papers](const report::TableStyle& style, bool) { return all_text(*papers, style); };
  all.json = [papers](bool) { return all_json(*papers); };
  return all;
}

std::string all_text(const std::vector<Reproduction>& papers, const report::TableStyle& style) {
  std::string text;
  for (const Reproduction& paper : papers) {
    text += fmt::format("{}: {}{}\n\n{}\n", paper.paper, paper.title, paper.simulated ? ", simulated" : "",
                        claim_lines(paper, style));
  }
  return text + summary_table(papers, style);
}

Json all_json(const std::vector<Reproduction>& papers) {
  ClaimCounts all;
  Json list = Json::array();
  for (const Reproduction& paper : papers) {
    const ClaimCounts counts = count_of(paper.claims);
    all += counts;
    list.push_back(
        {{"paper", paper.paper},
         {"title", paper.title},
         {"schema", paper.schema},
         {"simulated", paper.simulated},
         {"missing_data", paper.missing_data.empty() ? Json(nullptr) : Json(paper.missing_data.front())},
         {"counts", counts_json(counts)},
         {"claims", claims_json(paper.claims)}});
  }
  return {{"counts", counts_json(all)}, {"papers", std::move(list)}};
}

}  // namespace ergon::reproduce
