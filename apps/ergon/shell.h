#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "report/document.h"
#include "report/table_style.h"
#include "streams.h"

namespace ergon::app {

// What a command sees of the world outside.
class Shell {
 public:
  Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop, Streams& streams);

  bool json = false;  // one document instead of text, to be printed or drawn
  bool quiet = false;

  // How tables are drawn: bold headings and the width of a terminal, 80 columns when piped, no limit with --wide.
  report::TableStyle table_style() const;
  std::stop_token stop() const { return stop_; }
  Clock& clock() { return clock_; }

  // Data. Fails when standard output does, as on a full disk.
  Result<> print(std::string_view text) { return streams_.out(text); }
  // The one JSON document of a command run with --json. `simulated` says that its numbers come from a model.
  Result<> print_document(std::string_view schema, std::vector<std::string> inputs,
                          const nlohmann::ordered_json& body, bool simulated = false);
  // Its text, for a command that prints it elsewhere.
  std::string document(std::string_view schema, std::vector<std::string> inputs,
                       const nlohmann::ordered_json& body, bool simulated = false) const;
  // The text of a document, to where it was asked for: standard output, a page, or both.
  Result<> deliver(const std::string& document_text);

  // Documents are drawn on a page from now on, and printed only where --json stands as well. The file is
  // opened now, so that nothing is computed in vain.
  Result<> draw_to(const std::string& file);
  // Somebody will look at the document, so it had better hold the points behind the curves.
  bool drawn() const { return page_.has_value(); }
  // An error where a page was asked for and nothing was drawn.
  Result<> check_drawn() const;

  // Why the command failed, once it has; nothing where its exit code says it all.
  const std::optional<Error>& failure() const { return failure_; }
  void failed(const Error& error) { failure_ = error; }

  // A message to the person at the terminal; nothing with --quiet.
  void note(std::string_view message);
  void error(std::string_view message);
  Result<> flush() { return streams_.flush(); }

  // Progress on standard error: a bar on a terminal, lines otherwise, nothing with --quiet.
  std::unique_ptr<Progress> progress(Progress::Work work) const;

 private:
  struct Page {
    std::string name;
    AtomicFile file;
    bool print_too = false, done = false;
  };

  std::vector<std::string> command_line_;
  Clock& clock_;
  std::stop_token stop_;
  Streams& streams_;
  std::optional<Page> page_;
  std::optional<Error> failure_;
};

}  // namespace ergon::app
