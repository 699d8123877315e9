#include "service/jobs/job.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> kStateNames{"queued", "running",   "done",
                                                      "failed", "cancelled", "interrupted"};

constexpr int kMaxExitCode = 255;

Json progress_json(const std::optional<JobProgress>& progress) {
  if (!progress) return nullptr;
  return {{"label", progress->label},
          {"done", progress->done},
          {"total", progress->total},
          {"unit", progress->unit}};
}

}  // namespace

std::string_view name_of(JobState state) { return kStateNames[static_cast<std::size_t>(state)]; }

std::span<const std::string_view> job_state_names() { return kStateNames; }

Json job_json(const Job& job) {
  return {{"id", job.id},
          {"command", job.command},
          {"title", job.title},
          {"state", name_of(job.state)},
          {"created", to_text(job.created)},
          {"ended", job.ended ? Json(to_text(*job.ended)) : Json(nullptr)},
          {"exit_code", job.exit_code ? Json(*job.exit_code) : Json(nullptr)},
          {"message", job.message},
          {"progress", progress_json(job.progress)},
          {"resumable", job.resumable},
          {"result", job.result},
          {"simulated", job.simulated},
          {"cap_watts", job.cap ? Json(job.cap->si()) : Json(nullptr)},
          {"options", job.options}};
}

std::string job_text(const Job& job) {
  // A command's message may be invalid UTF-8.
  return job_json(job).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Job> job_of(const Json& json) {
  Job job;
  try {
    job.id = json.at("id").get<std::string>();
    job.command = json.at("command").get<std::string>();
    job.title = json.at("title").get<std::string>();
    const auto state = json.at("state").get<std::string>();
    const auto* const found = std::find(kStateNames.begin(), kStateNames.end(), state);
    if (found == kStateNames.end())
      return fail(Errc::invalid_input, "unknown job state \"{}\"", printable(state));
    job.state = static_cast<JobState>(found - kStateNames.begin());
    const auto created = parse_timestamp(json.at("created").get<std::string>());
    if (!created) return fail(Errc::invalid_input, "created is not a valid time");
    job.created = *created;
    if (const Json& ended = json.at("ended"); ended.is_string()) {
      if (const auto at = parse_timestamp(ended.get<std::string>())) job.ended = *at;
    }
    if (const Json& code = json.at("exit_code"); code.is_number_integer()) {
      // Larger numbers would become others, such as 0.
      if (code < 0 || code > kMaxExitCode) return fail(Errc::invalid_input, "exit_code is not valid");
      job.exit_code = code.get<int>();
    }
    job.message = json.at("message").get<std::string>();
    job.resumable = json.at("resumable").get<bool>();
    job.result = json.at("result").get<bool>();
    job.simulated = json.at("simulated").get<bool>();
    job.options = json.at("options");
    if (!job.options.is_object()) return fail(Errc::invalid_input, "options is not an object");
  } catch (const Json::exception& error) {
    return fail(Errc::invalid_input, "{}", error.what());
  }
  if (!is_job_id(job.id)) return fail(Errc::invalid_input, "id is not a valid job id");
  return job;
}

bool is_job_id(std::string_view text) {
  const auto fine = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= 80 && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), fine);
}

}  // namespace ergon::service
