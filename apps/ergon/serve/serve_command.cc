#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "serve/serve_commands.h"
#include "serve/serve_settings.h"
#include "serve/station.h"
#include "service/http/server.h"

namespace ergon::app {
namespace {

std::string address_of(const ServeSettings& settings, int port) {
  const bool v6 = settings.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", v6 ? "[" + settings.host + "]" : settings.host, port);
}

Result<int> serve(Shell& shell, const ServeSettings& settings) {
  if (shell.drawn()) return fail(Errc::invalid_input, "--html: a server has nothing to draw");
  auto token = settings.token();
  if (!token) return token.error();
  const bool open = token->empty();
  auto server = service::Server::listen(settings.host, static_cast<int>(settings.port), {});
  if (!server) return server.error();
  // Jobs are runs of this program, and say how far they are in a way that it can read.
  ::setenv("ERGON_PROGRESS", "records", 1);
  auto station = Station::open(settings, std::move(*token), shell);
  if (!station) return station.error();
  const std::string address = address_of(settings, (*server)->port());
  const std::string results = std::filesystem::absolute(settings.results_folder()).string();
  Result<> printed;
  if (shell.json) {
    printed = shell.print_document("ergon.serve/1", {},
                                   {{"address", address}, {"results", results}, {"token_needed", !open}});
  } else {
    printed = shell.print(
        fmt::format("dashboard  {0}\nAPI        {0}api/v1/openapi.json\nmetrics    {0}metrics\nresults    "
                    "{1}\ntoken      {2}\n"
                    "Ctrl-C ends it.\n",
                    address, results,
                    open ? "none: whoever uses this machine may ask" : "needed: Authorization: Bearer ..."));
  }
  if (!printed) return printed.error();
  if (auto flushed = shell.flush(); !flushed) return flushed.error();
  (*server)->serve([&](const service::Request& request) { return (*station)->answer(request); },
                   shell.stop());
  return kExitDone;
}

Action declare_serve(Options& options) {
  auto settings = std::make_shared<ServeSettings>();
  settings->declare(options);
  return [settings](Shell& shell) { return serve(shell, *settings); };
}

}  // namespace

Command serve_command() {
  return {
      .name = "serve",
      .summary = "the dashboard, the API behind it, and metrics for Prometheus",
      .description =
          "Everything in a browser: networks, sweeps, predictions, schedules, caps, fleets and devices. Runs "
          "until "
          "it is interrupted; jobs that are running then are asked to stop. docs/serve.md has the API.",
      .declare = declare_serve,
      .children = {},
  };
}

}  // namespace ergon::app
