#include "shell.h"

#include <utility>

#include <fmt/format.h>

#include "report/page.h"
#include "report/sanity.h"
#include "report/wrapped_text.h"
#include "web/assets.h"

namespace ergon::app {
namespace {

constexpr std::size_t kDefaultBarColumns = 80;

}  // namespace

Shell::Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop, Streams& streams)
    : command_line_(std::move(command_line)), clock_(clock), stop_(std::move(stop)), streams_(streams) {}

report::TableStyle Shell::table_style() const {
  report::TableStyle style;
  style.bold = streams_.color();
  if (!wide) style.width = streams_.columns();
  return style;
}

Result<> Shell::print_report(std::string_view text) {
  const auto width = table_style().width;
  return width ? print(report::wrapped_report(text, *width)) : print(text);
}

Result<> Shell::print_document(std::string_view schema, std::vector<std::string> inputs,
                               const nlohmann::ordered_json& body, bool simulated) {
  const auto text = document(schema, std::move(inputs), body, simulated);
  if (!text) return text.error();
  return deliver(*text);
}

Result<> Shell::print_result(std::string_view schema, std::vector<std::string> inputs,
                             const nlohmann::ordered_json& body, bool simulated,
                             const std::function<std::string()>& text) {
  if (json) return print_document(schema, std::move(inputs), body, simulated);
  if (auto fine = report::check_sanity(body); !fine) return fine;
  return print_report(text());
}

Result<std::string> Shell::document(std::string_view schema, std::vector<std::string> inputs,
                                    const nlohmann::ordered_json& body, bool simulated) const {
  if (auto fine = report::check_sanity(body); !fine) return fine.error();
  return report::document(schema,
                          {.command = command_line_,
                           .created = clock_.wall_now(),
                           .inputs = std::move(inputs),
                           .simulated = simulated},
                          body);
}

Result<> Shell::deliver(const std::string& document_text) {
  if (!html_) return print(document_text);
  if (html_->print_json_too) {
    if (auto printed = print(document_text); !printed) return printed;
  }
  const std::string page = report::page_of({document_text}, web::assets());
  if (auto written = html_->file.write(page); !written) return written.error().in(html_->name);
  if (auto committed = html_->file.commit(); !committed) return committed.error().in(html_->name);
  html_->written = true;
  return html_->print_json_too ? Result<>{} : print(fmt::format("wrote {}\n", html_->name));
}

Result<> Shell::open_html(const std::string& file) {
  if (web::assets().script.empty())
    return fail(Errc::unsupported, "--html: this program was built without web pages (npm was missing)");
  auto created = AtomicFile::create(file);
  if (!created) return created.error();
  html_.emplace(HtmlFile{file, std::move(*created), json});
  json = true;
  return {};
}

Result<> Shell::check_html_written() const {
  if (!html_ || html_->written) return {};
  return fail(Errc::invalid_input, "--html: this command has no HTML report; {} was not written",
              html_->name);
}

void Shell::print_message(const std::string& message) {
  constexpr std::size_t kIndent = 2;  // of continued lines
  const auto width = streams_.message_columns();
  const bool fits = !width || wide || report::display_width(message) <= *width;
  const bool one_line = message.find('\n') == std::string::npos;
  streams_.err(fits       ? message + "\n"
               : one_line ? report::wrapped_words(message, *width, "", kIndent)
                          : report::wrapped_report(message + "\n", *width));
}

void Shell::note(std::string_view message) {
  if (quiet) return;
  // Data is flushed first, so that a terminal shows the note after it. If the data could not be written, the
  // note is omitted.
  if (const auto flushed = flush(); flushed) print_message(std::string(message));
}

void Shell::error(std::string_view message) { print_message(fmt::format("ergon: {}", message)); }

std::unique_ptr<Progress> Shell::progress(Progress::Work work) const {
  const auto sink = [this](std::string_view text) { streams_.err(text); };
  const auto columns = static_cast<int>(streams_.message_columns().value_or(kDefaultBarColumns));
  return std::make_unique<Progress>(progress_style(), std::move(work), clock_, sink, columns);
}

}  // namespace ergon::app
