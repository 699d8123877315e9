#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "report/page.h"
#include "serve/serve_commands.h"
#include "web/assets.h"

namespace ergon::app {
namespace {

struct ReportSettings {
  std::vector<std::string> files;
  std::string out;
};

Result<std::string> read_document(const std::string& file) {
  auto text = read_file(file);
  if (!text) return text.error();
  const auto json = parse_json<nlohmann::json>(*text, file);
  if (!json) return json.error();
  if (!json->is_object() || !json->contains("schema"))
    return fail(Errc::invalid_input, "{}: is not a document written with --json", file);
  return text;
}

Result<int> make_report(Shell& shell, const ReportSettings& settings) {
  const report::PageAssets assets = web::assets();
  if (assets.script.empty())
    return fail(Errc::unsupported, "this build has no web pages (npm was missing at build time)");
  std::vector<std::string> documents;
  for (const std::string& file : settings.files) {
    auto document = read_document(file);
    if (!document) return document.error();
    documents.push_back(std::move(*document));
  }
  const std::string page = report::page_of(documents, assets);
  if (auto written = write_file(settings.out, page); !written) return written.error();
  const auto printed =
      shell.json ? shell.print_document(
                       "ergon.report/1", settings.files,
                       {{"file", settings.out}, {"documents", documents.size()}, {"bytes", page.size()}})
                 : shell.print_report(fmt::format("wrote {}\n", settings.out));
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_report(Options& options) {
  auto settings = std::make_shared<ReportSettings>();
  options.arguments("DOCUMENT", settings->files, "JSON documents written with --json");
  options.text("--out", settings->out, "FILE", "HTML file to write");
  options.require("--out");
  return [settings](Shell& shell) { return make_report(shell, *settings); };
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .summary = "combine JSON documents in one HTML report",
      .description =
          "Writes one HTML file with the charts of all documents, as --html does for one command. The "
          "file contains its data, script and style and needs no network.",
      .declare = declare_report,
      .children = {},
  };
}

}  // namespace ergon::app
