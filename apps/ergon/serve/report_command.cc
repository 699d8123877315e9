#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
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
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("schema"))
    return fail(Errc::invalid_input, "{}: is no document that a command printed with --json", file);
  return text;
}

Result<int> make_report(Shell& shell, const ReportSettings& settings) {
  const report::PageAssets assets = web::assets();
  if (assets.script.empty())
    return fail(Errc::unsupported, "this Ergon was built without its pages (npm was missing)");
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
                 : shell.print(fmt::format("drawn: {}\n", settings.out));
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_report(Options& options) {
  auto settings = std::make_shared<ReportSettings>();
  options.arguments("DOCUMENT", settings->files, "files that commands printed with --json");
  options.text("--out", settings->out, "FILE", "the page");
  options.require("--out");
  return [settings](Shell& shell) { return make_report(shell, *settings); };
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .summary = "several documents on one page, a file that opens anywhere",
      .description =
          "What --html does for one command, for any number of documents. The page asks nobody for "
          "anything: its data, script and style are inside.",
      .declare = declare_report,
      .children = {},
  };
}

}  // namespace ergon::app
