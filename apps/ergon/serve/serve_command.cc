#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "serve/serve_commands.h"
#include "serve/serve_settings.h"
#include "serve/web_service.h"
#include "service/http/server.h"

namespace ergon::app {
namespace {

std::string address_of(const ServeSettings& settings, int port) {
  const bool v6 = settings.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", v6 ? "[" + settings.host + "]" : settings.host, port);
}

Result<int> serve(Shell& shell, const ServeSettings& settings) {
  if (shell.html_requested()) return fail(Errc::invalid_input, "--html is not supported by serve");
  auto token = settings.token();
  if (!token) return token.error();
  const bool open = token->empty();
  auto server = service::Server::listen(settings.host, static_cast<int>(settings.port), {});
  if (!server) return server.error();
  // Jobs run this program; it reads their progress records.
  ::setenv("ERGON_PROGRESS", "records", 1);
  auto web_service = WebService::open(settings, std::move(*token), shell);
  if (!web_service) return web_service.error();
  const std::string address = address_of(settings, (*server)->port());
  const std::string results = std::filesystem::absolute(settings.results_folder()).string();
  Result<> printed;
  if (shell.json) {
    printed = shell.print_document("ergon.serve/1", {},
                                   {{"address", address}, {"results", results}, {"token_needed", !open}});
  } else {
    printed = shell.print_report(fmt::format(
        "dashboard  {0}\nAPI        {0}api/v1/openapi.json\nmetrics    {0}metrics\nresults    "
        "{1}\ntoken      {2}\n"
        "Press Ctrl-C to stop.\n",
        address, results,
        open ? "not required (all local users have access)" : "required (Authorization: Bearer TOKEN)"));
  }
  if (!printed) return printed.error();
  if (auto flushed = shell.flush(); !flushed) return flushed.error();
  (*server)->serve([&](const service::Request& request) { return (*web_service)->answer(request); },
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
      .summary = "run the dashboard, its API and Prometheus metrics",
      .description =
          "Serves networks, sweeps, predictions, schedules, caps, fleets and devices to a browser. Runs "
          "until "
          "it is interrupted; running jobs are stopped then. docs/serve.md describes the API.",
      .declare = declare_serve,
      .children = {},
  };
}

}  // namespace ergon::app
