#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "service/api/parameter.h"
#include "service/jobs/job.h"

namespace ergon::service {

// One command of a job. `words` is the command line without the program name.
struct JobStep {
  std::vector<std::string> words;
  bool run_after_stop = false;  // also runs after a stop, to evaluate partial data
};

// A command that can run as a job. Its last step prints the job's document.
struct JobKind {
  std::string_view command;
  std::string_view about;
  Parameters parameters;
  bool resumable = false;  // can continue after a stop
  bool capped = false;     // holds a power cap that can be changed while it runs
};

const std::vector<JobKind>& job_kinds();
const JobKind* find_job_kind(std::string_view command);

// Files in the folder of a job.
inline constexpr std::string_view kCapFile = "cap";
inline constexpr std::string_view kDecisionFile = "decisions.csv";

// The commands of a job. All output goes to `folder`. Errors: invalid options.
Result<std::vector<JobStep>> job_steps(const JobKind& kind, const Fields& options,
                                       const std::filesystem::path& folder);

// Title from the options, for example "resnet50 on v100s". Long lists are cut.
std::string job_title(const JobKind& kind, const Fields& options);

// True if the options imply simulation: generated fleets and twins. For a GPU this is known when the job has
// ended, because the driver may be simulated.
bool known_simulated(const JobKind& kind, const Fields& options);

// An option of a job as command-line text. Empty if absent.
std::string option_text(const Job& job, std::string_view name);

// Posted options as they are stored: without those that are null, and lists as text, "a,b". Errors: options
// that the command does not have, also if they are null; other types; more than 8 KiB.
Result<nlohmann::ordered_json> options_to_store(const JobKind& kind, const nlohmann::ordered_json& options);

// Converts posted options: {"networks": ["a", "b"], "repeat": 1} becomes networks=a,b and repeat=1.
Result<Fields> fields_of_json(std::string_view json_object_text);

}  // namespace ergon::service
