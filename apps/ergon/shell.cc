#include "shell.h"

#include <utility>

#include <fmt/format.h>

#include "report/page.h"
#include "web/assets.h"

namespace ergon::app {

Shell::Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop, Streams& streams)
    : command_line_(std::move(command_line)), clock_(clock), stop_(std::move(stop)), streams_(streams) {}

report::TableStyle Shell::table_style() const {
  return {.bold = streams_.colour(), .width = std::nullopt};
}

Result<> Shell::print_document(std::string_view schema, std::vector<std::string> inputs,
                               const nlohmann::ordered_json& body, bool simulated) {
  return deliver(document(schema, std::move(inputs), body, simulated));
}

std::string Shell::document(std::string_view schema, std::vector<std::string> inputs,
                            const nlohmann::ordered_json& body, bool simulated) const {
  return report::document(schema,
                          {.command = command_line_,
                           .created = clock_.wall_now(),
                           .inputs = std::move(inputs),
                           .simulated = simulated},
                          body);
}

Result<> Shell::deliver(const std::string& document_text) {
  if (!page_) return print(document_text);
  if (page_->print_too) {
    if (auto printed = print(document_text); !printed) return printed;
  }
  const std::string page = report::page_of({document_text}, web::assets());
  if (auto written = page_->file.write(page); !written) return written.error().in(page_->name);
  if (auto kept = page_->file.commit(); !kept) return kept.error().in(page_->name);
  page_->done = true;
  return page_->print_too ? Result<>{} : print(fmt::format("drawn: {}\n", page_->name));
}

Result<> Shell::draw_to(const std::string& file) {
  if (web::assets().script.empty())
    return fail(Errc::unsupported, "--html: this Ergon was built without its pages (npm was missing)");
  auto created = AtomicFile::create(file);
  if (!created) return created.error();
  page_.emplace(Page{file, std::move(*created), json});
  json = true;
  return {};
}

Result<> Shell::check_drawn() const {
  if (!page_ || page_->done) return {};
  return fail(Errc::invalid_input, "--html: this command has nothing to draw; {} was not written",
              page_->name);
}

void Shell::note(std::string_view message) {
  if (quiet) return;
  // On a terminal the remark comes behind what it speaks of; where that was lost there is nothing to remark.
  if (const auto flushed = flush(); flushed) streams_.err(fmt::format("{}\n", message));
}

void Shell::error(std::string_view message) { streams_.err(fmt::format("ergon: {}\n", message)); }

std::unique_ptr<Progress> Shell::progress(Progress::Work work) const {
  const ProgressStyle style = quiet ? ProgressStyle::silent : streams_.progress_style();
  const auto sink = [this](std::string_view text) { streams_.err(text); };
  return std::make_unique<Progress>(style, std::move(work), clock_, sink, streams_.columns());
}

}  // namespace ergon::app
