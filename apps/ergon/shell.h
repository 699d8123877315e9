#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "report/document.h"

namespace ergon::app {

// What a command sees of the world outside: data goes to standard output, messages and progress to standard
// error.
class Shell {
 public:
  Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop);

  bool json = false;
  bool quiet = false;

  bool colour() const { return colour_; }
  std::stop_token stop() const { return stop_; }
  Clock& clock() { return clock_; }

  // Data. Fails when standard output does, as on a full disk.
  Result<> print(std::string_view text);
  // The one JSON document of a command run with --json. `simulated` says that its numbers come from a model.
  Result<> print_document(std::string_view schema, std::vector<std::string> inputs,
                          const nlohmann::ordered_json& body, bool simulated = false);
  // Its text, for a command that prints it elsewhere.
  std::string document(std::string_view schema, std::vector<std::string> inputs,
                       const nlohmann::ordered_json& body, bool simulated = false) const;
  // A message to the person at the terminal; nothing with --quiet.
  void note(std::string_view message);
  void error(std::string_view message);
  Result<> flush();

  // Progress on standard error: a bar on a terminal, lines otherwise, nothing with --quiet.
  std::unique_ptr<Progress> progress(Progress::Work work) const;

 private:
  std::vector<std::string> command_line_;
  Clock& clock_;
  std::stop_token stop_;
  bool colour_;
  std::optional<Error> output_failure_;  // the first; everything printed after it is lost as well
};

}  // namespace ergon::app
