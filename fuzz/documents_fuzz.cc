// JSON documents that the server, sweeps and datasets read back from their folders, and requests for jobs.
// Whatever the document is, readers return an error with a message or values that they can write again.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "profile/dataset_files.h"
#include "report/page.h"
#include "service/http/server_message.h"
#include "service/jobs/job.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/job_size.h"
#include "sweep/run_log.h"

namespace {

namespace fs = std::filesystem;
using namespace ergon;
using Json = nlohmann::ordered_json;

void check(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
void check_message(const Result<T>& result) {
  check(result || !result.error().message.empty());
}

bool is_one_line(const std::vector<std::string>& words) {
  const auto control_character = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  return std::ranges::none_of(
      words, [&](const std::string& word) { return std::ranges::any_of(word, control_character); });
}

void check_job(const Json& json) {
  const auto job = service::job_of(json);
  check_message(job);
  if (!job) return;
  check(service::is_job_id(job->id));
  const auto again = service::job_of(parse_json<Json>(service::job_text(*job)).value());
  check(again && service::job_text(*again) == service::job_text(*job));
  (void)service::option_text(*job, "device");
}

// Options of a job. No text may become an option of the command by itself.
void check_options(std::string_view text) {
  const auto options = service::fields_of_json(text);
  check_message(options);
  if (!options) return;
  for (const service::JobKind& kind : service::job_kinds()) {
    (void)service::job_title(kind, *options);
    (void)service::known_simulated(kind, *options);
    const auto steps = service::job_steps(kind, *options, "/folder");
    check_message(steps);
    check_message(service::check_size(kind, *options, {}));
    if (!steps) continue;
    check(!steps->empty());
    for (const service::JobStep& step : *steps) check(!step.words.empty() && is_one_line(step.words));
  }
}

// A folder with one document at a time.
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void check_sessions(std::string_view text) const {
    write(path_ / profile::kProvenanceFile, text);
    const auto sessions = profile::load_sessions(path_);
    check_message(sessions);
    if (!sessions) return;
    (void)profile::products_of(*sessions);
    check(bool(profile::save_sessions(path_, *sessions)));
    const auto again = profile::load_sessions(path_);
    check(again && *again == *sessions);
  }

  void check_experiment(std::string_view text) const {
    write(path_ / sweep::kSweepFile, text);
    const Json experiment = {{"schema", "ergon.sweep.folder/1"},
                             {"experiment", {{"batch", 8}, {"device", "a"}}}};
    check_message(sweep::RunLog::open(path_, experiment, true));
  }

 private:
  // write_file() waits for the disk.
  static void write(const fs::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
  }

  fs::path path_ = fs::temp_directory_path() / ("ergon-documents-fuzz-" + std::to_string(::getpid()));
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto json = parse_json<Json>(text)) {
    check_job(*json);
    // Documents are inline in pages: none may end its element.
    const std::string document = json->dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::string page = report::page_of(
        {document},
        {.page = "<head></head><body></body>", .script = "s", .style = "", .script_hash = "sha256-x"});
    const std::string without = report::page_of(
        {"{}"},
        {.page = "<head></head><body></body>", .script = "s", .style = "", .script_hash = "sha256-x"});
    const auto count = [](const std::string& html) {
      std::size_t found = 0;
      for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) ++found;
      return found;
    };
    check(count(page) == count(without));
  }
  check_options(text);
  const std::string message = service::server_message(text);
  check(message.find('\n') == std::string::npos);
  folder.check_sessions(text);
  folder.check_experiment(text);
  return 0;
}
