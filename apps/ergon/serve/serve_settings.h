#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options.h"
#include "service/message.h"

namespace ergon::app {

// Options of `ergon serve`.
struct ServeSettings {
  std::string host = "127.0.0.1";
  int port = service::kDefaultPort;
  std::optional<std::string> token_file;
  std::optional<std::string> results;
  std::vector<std::string> twins;  // "v100", "v100:resnet50", "v100:resnet50:32"

  void declare(Options& options);

  // Token from the file or from ERGON_TOKEN; empty: none. Errors: an unreadable file, an invalid token, or no
  // token for an address other than loopback.
  Result<std::string> token() const;
  // --results; else $XDG_DATA_HOME/ergon; else ~/.local/share/ergon. Error: no home folder.
  Result<std::filesystem::path> results_folder() const;
};

}  // namespace ergon::app
