#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options.h"
#include "serve/job_limit_options.h"
#include "service/http/server.h"
#include "service/message.h"

namespace ergon::app {

// The token that requests must send; empty: none. `file`: where Ergon stored it, if it created it.
struct AccessToken {
  std::string text;
  std::optional<std::filesystem::path> file = {};
};

// Options of `ergon serve`.
struct ServeSettings {
  std::string host = "127.0.0.1";
  int port = service::kDefaultPort;
  std::optional<std::string> token_file;
  bool no_token = false;
  std::optional<std::string> tls_certificate, tls_key;
  std::optional<std::string> results;
  std::vector<std::string> twins;  // "v100", "v100:resnet50", "v100:resnet50:32"
  JobLimitOptions job_limits;

  void declare(Options& options);

  // Token from --token-file, from ERGON_TOKEN, or from a file in the folder of results, which is created.
  // Errors: an unreadable file, an invalid token, or no token for an address other than loopback.
  Result<AccessToken> token(const std::filesystem::path& results) const;
  // Certificate and key; absent: no TLS. Error: one without the other.
  Result<std::optional<service::TlsFiles>> tls() const;
  // --results; else $XDG_DATA_HOME/ergon; else ~/.local/share/ergon. Error: no home folder.
  Result<std::filesystem::path> results_folder() const;
};

}  // namespace ergon::app
