#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <memory>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
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
  return fmt::format("http{}://{}:{}/", settings.tls_certificate ? "s" : "",
                     v6 ? "[" + settings.host + "]" : settings.host, port);
}

// Every connection needs a file descriptor; the default limit of 1,024 is for programs that use select(2).
// Jobs get theirs back (service/jobs/process).
void raise_descriptor_limit() {
  constexpr rlim_t kWanted = 8192;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kWanted) return;
  files.rlim_cur = std::min(kWanted, files.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &files);
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

Result<service::WebServiceParts> service_parts(const ServeSettings& settings,
                                               const std::filesystem::path& results, std::string token,
                                               Shell& shell) {
  auto jobs = service::Jobs::open(
      results / "jobs", program_path(), shell.clock(), settings.job_limits.limits(),
      [&shell](const std::vector<std::string>& words) { return check_in_process(words, shell.clock()); });
  if (!jobs) return jobs.error();
  auto devices = devices_to_monitor(settings, shell);
  if (!devices) return devices.error();
  const report::PageAssets assets = web::assets();
  return service::WebServiceParts{
      .guard = service::Guard(service::is_loopback(settings.host), std::move(token)),
      .jobs = std::move(*jobs),
      .devices = std::move(*devices),
      .results = results,
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

// Memory returns to the system when it is freed. By default glibc keeps a heap for each thread, and ever
// larger blocks.
void return_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 20);
  ::mallopt(M_ARENA_MAX, 2);
}

// The largest requests are the options of a job.
service::ServerLimits limits() {
  service::ServerLimits limits;
  limits.max_request_bytes = std::size_t{64} << 10;
  return limits;
}

// How the server is reached.
struct Access {
  std::string address, results;
  AccessToken token;

  // Opens the page with its token, which a browser does not send to the server.
  std::string link() const { return token.file ? address + "#token=" + token.text : address; }
};

std::string access_text(const Access& access) {
  const std::string token = access.token.file           ? "in " + access.token.file->string()
                            : access.token.text.empty() ? "not required (all local users have access)"
                                                        : "required (Authorization: Bearer TOKEN)";
  return fmt::format(
      "dashboard  {}\nAPI        {}api/v1/openapi.json\nmetrics    {}metrics\nresults    {}\ntoken      {}\n"
      "Press Ctrl-C to stop.\n",
      access.link(), access.address, access.address, access.results, token);
}

nlohmann::ordered_json access_json(const Access& access) {
  nlohmann::ordered_json json = {
      {"address", access.address}, {"results", access.results}, {"token_needed", !access.token.text.empty()}};
  if (access.token.file) {
    json["token_file"] = access.token.file->string();
    json["link"] = access.link();
  }
  return json;
}

bool permits(const std::filesystem::path& file, std::filesystem::perms bits) {
  std::error_code error;
  const auto found = std::filesystem::status(file, error).permissions();
  return !error && (found & bits) != std::filesystem::perms::none;
}

// Warns of a results folder or token file with permissions for other users.
void warn_of_other_users(Shell& shell, const ServeSettings& settings, const std::filesystem::path& results) {
  using std::filesystem::perms;
  if (permits(results, perms::group_write | perms::others_write))
    shell.error(fmt::format("warning: {}: other users can write to the folder of results; run chmod go-w",
                            results.string()));
  if (settings.token_file && permits(*settings.token_file, perms::group_all | perms::others_all))
    shell.error(
        fmt::format("warning: {}: other users can read the token; run chmod 600", *settings.token_file));
}

void warn_of_open_access(Shell& shell, const ServeSettings& settings, const Access& access) {
  if (access.token.text.empty()) shell.error("warning: no token: any local user can start jobs");
  if (!service::is_loopback(settings.host) && !settings.tls_certificate)
    shell.error("warning: the token and all data are sent unencrypted; give --tls-certificate and --tls-key");
}

Result<int> serve(Shell& shell, const ServeSettings& settings) {
  if (shell.html_requested()) return fail(Errc::invalid_input, "--html is not supported by serve");
  const auto tls = settings.tls();
  if (!tls) return tls.error();
  const auto results = settings.results_folder();
  if (!results) return results.error();
  // The token, the documents and the jobs are for this user only.
  ::umask(077);
  std::error_code error;
  std::filesystem::create_directories(*results, error);
  if (error) return errno_error(error.value()).in(results->string());
  auto token = settings.token(*results);
  if (!token) return token.error();
  raise_descriptor_limit();
  return_memory();
  auto server =
      service::Server::listen({.host = settings.host, .port = settings.port, .tls = *tls}, limits());
  if (!server) return server.error();
  // Jobs run this program; it reads their progress records.
  ::setenv("ERGON_PROGRESS", "records", 1);
  auto parts = service_parts(settings, *results, token->text, shell);
  if (!parts) return parts.error();
  service::WebService web_service(std::move(*parts), shell.clock());
  const Access access{.address = address_of(settings, (*server)->port()),
                      .results = std::filesystem::absolute(*results).string(),
                      .token = std::move(*token)};
  warn_of_open_access(shell, settings, access);
  warn_of_other_users(shell, settings, *results);
  const auto printed = shell.json ? shell.print_document("ergon.serve/1", {}, access_json(access))
                                  : shell.print_report(access_text(access));
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
