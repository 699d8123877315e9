#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/machine/machine.h"
#include "serve/in_process.h"
#include "serve/serve_commands.h"
#include "serve/serve_settings.h"
#include "service/http/server.h"
#include "service/metrics/real_time_twin.h"
#include "service/web_service.h"
#include "web/assets.h"

namespace ergon::app {
namespace {

std::string address_of(const ServeSettings& settings, int port) {
  const bool v6 = settings.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", v6 ? "[" + settings.host + "]" : settings.host, port);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string program_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "ergon" : path.string();
}

// The machine's devices, then the twins. Each device pointer keeps the machine alive.
Result<std::vector<std::shared_ptr<device::Device>>> devices_to_monitor(const ServeSettings& settings,
                                                                        Shell& shell) {
  const auto machine = std::make_shared<device::Machine>(device::Machine::open(shell.notify()));
  std::vector<std::shared_ptr<device::Device>> devices;
  for (const auto& each : machine->devices()) devices.emplace_back(machine, each.get());
  for (std::size_t i = 0; i < settings.twins.size(); ++i) {
    auto twin = service::parse_real_time_twin(settings.twins[i], shell.clock(), i);
    if (!twin) return twin.error().in("--twin");
    devices.push_back(std::move(*twin));
  }
  return devices;
}

Result<service::WebServiceParts> service_parts(const ServeSettings& settings, std::string token,
                                               Shell& shell) {
  const auto results = settings.results_folder();
  if (!results) return results.error();
  auto jobs = service::Jobs::open(*results / "jobs", program_path(), shell.clock());
  if (!jobs) return jobs.error();
  auto devices = devices_to_monitor(settings, shell);
  if (!devices) return devices.error();
  const report::PageAssets assets = web::assets();
  return service::WebServiceParts{
      .guard = service::Guard(service::is_loopback(settings.host), std::move(token)),
      .jobs = std::move(*jobs),
      .devices = std::move(*devices),
      .results = *results,
      .files = {assets.page, assets.script, assets.style},
      .host = host_name(),
      .run = [&shell](const std::vector<std::string>& words,
                      const std::stop_token& stop) { return run_in_process(words, shell.clock(), stop); },
      .document =
          [&shell](std::string_view schema, const nlohmann::ordered_json& body, bool simulated) {
            auto text = shell.document(schema, {}, body, simulated);
            return text ? std::move(*text)
                        : shell.document(schema, {}, {{"error", text.error().message}}, simulated).value();
          }};
}

Result<int> serve(Shell& shell, const ServeSettings& settings) {
  if (shell.html_requested()) return fail(Errc::invalid_input, "--html is not supported by serve");
  auto token = settings.token();
  if (!token) return token.error();
  const bool open = token->empty();
  auto server = service::Server::listen({.host = settings.host, .port = settings.port}, {});
  if (!server) return server.error();
  // Jobs run this program; it reads their progress records.
  ::setenv("ERGON_PROGRESS", "records", 1);
  auto parts = service_parts(settings, std::move(*token), shell);
  if (!parts) return parts.error();
  const std::string results = std::filesystem::absolute(parts->results).string();
  service::WebService web_service(std::move(*parts), shell.clock());
  const std::string address = address_of(settings, (*server)->port());
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
  (*server)->serve({.answer = [&](const service::Request& request) { return web_service.answer(request); },
                    .admit = [&](const service::Request& head) { return web_service.admit(head); }},
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
