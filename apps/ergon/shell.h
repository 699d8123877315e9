#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/notify.h"
#include "base/progress.h"
#include "base/result.h"
#include "report/document.h"
#include "report/table_style.h"
#include "streams.h"

namespace ergon::app {

// Environment of a command: global options, output, clock and stop request.
class Shell {
 public:
  Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop, Streams& streams);

  bool json = false;   // print or write one JSON document instead of text
  bool quiet = false;  // no progress and no notes
  bool wide = false;   // no limit on the width of text

  // Width of tables: that of the terminal, 80 columns if piped, no limit with --wide.
  report::TableStyle table_style() const;
  std::stop_token stop() const { return stop_; }
  Clock& clock() { return clock_; }

  // Prints data (CSV, JSON) unchanged. Fails if standard output fails, for example because the disk is full.
  Result<> print(std::string_view text) { return streams_.out(text); }
  // Prints a text report. Prose is wrapped to the width of tables; tables and plots are printed unchanged.
  Result<> print_report(std::string_view text);
  // Prints the JSON document of a command run with --json, or writes it as HTML with --html. `simulated`: the
  // numbers come from a model of a device.
  Result<> print_document(std::string_view schema, std::vector<std::string> inputs,
                          const nlohmann::ordered_json& body, bool simulated = false);
  // Prints the result of a command: its JSON document with --json or --html, otherwise its text. Errors:
  // internal, if a number in the document cannot be right; the text is then not printed either.
  Result<> print_result(std::string_view schema, std::vector<std::string> inputs,
                        const nlohmann::ordered_json& body, bool simulated,
                        const std::function<std::string()>& text);
  // The text of such a document. Errors: internal, if a number in it cannot be right.
  Result<std::string> document(std::string_view schema, std::vector<std::string> inputs,
                               const nlohmann::ordered_json& body, bool simulated = false) const;
  // Writes the text of a document to standard output (--json), to the HTML file (--html), or to both.
  Result<> deliver(const std::string& document_text);

  // Documents are written to this HTML file from now on, and printed only with --json. The file is opened
  // now, so that an unwritable path fails before the command runs.
  Result<> open_html(const std::string& file);
  // Whether --html was given. Documents should then include the points of their curves.
  bool html_requested() const { return html_.has_value(); }
  // Fails if --html was given and no document was written.
  Result<> check_html_written() const;

  // Why the command failed; absent if it did not fail or if its exit code is the only result.
  const std::optional<Error>& failure() const { return failure_; }
  void set_failure(const Error& error) { failure_ = error; }

  // A message on standard error; suppressed by --quiet.
  void note(std::string_view message);
  // Forwards notes of the library to note(). The shell outlives it.
  Notify notify() {
    return [this](std::string_view message) { note(message); };
  }
  // An error on standard error, with the program's name.
  void error(std::string_view message);
  // Text on standard error, unchanged, for example to redraw a line in place.
  void show(std::string_view text) noexcept { streams_.err(text); }
  Result<> flush() { return streams_.flush(); }
  // Call after the last data. Fails if any of it could not be written.
  Result<> finish() { return streams_.finish(); }
  // Whether the reader of standard output closed it. Printing then fails with Errc::cancelled and no message.
  bool reader_closed() const { return streams_.reader_closed(); }

  // Progress on standard error: a bar on a terminal, lines otherwise; suppressed by --quiet.
  ProgressStyle progress_style() const { return quiet ? ProgressStyle::silent : streams_.progress_style(); }
  std::unique_ptr<Progress> progress(Progress::Work work) const;

 private:
  struct HtmlFile {
    std::string name;
    AtomicFile file;
    bool print_json_too = false, written = false;
  };

  void print_message(const std::string& message);

  std::vector<std::string> command_line_;
  Clock& clock_;
  std::stop_token stop_;
  Streams& streams_;
  std::optional<HtmlFile> html_;
  std::optional<Error> failure_;
};

}  // namespace ergon::app
