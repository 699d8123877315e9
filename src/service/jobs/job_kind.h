#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "service/api/parameter.h"
#include "service/jobs/job.h"

namespace ergon::service {

// One command of a job; words without the program's name.
struct JobStep {
  std::vector<std::string> words;
  bool even_if_stopped = false;  // what there is by then is worth looking at
};

// What can be run as a job. The last step prints the job's document.
struct JobKind {
  std::string_view command;
  std::string_view about;
  Parameters parameters;
  bool resumable = false;  // a run that was stopped can go on
  bool capped = false;     // it holds a power cap, which can be changed meanwhile
};

const std::vector<JobKind>& job_kinds();
const JobKind* find_job_kind(std::string_view command);

// The files of a job, in its folder.
inline constexpr std::string_view kCapFile = "cap";
inline constexpr std::string_view kDecisionFile = "decisions.csv";

// What a job does; everything it writes goes to `folder`. Errors: parameters that are not understood.
Result<std::vector<JobStep>> job_steps(const JobKind& kind, const Fields& options,
                                       const std::filesystem::path& folder);

// "resnet50 on v100s", from the options.
std::string job_title(const JobKind& kind, const Fields& options);

// Whether it is known beforehand that a model stands behind it: fleets that are made, and twins. Of a GPU
// the driver tells, when the job has ended.
bool simulated_for_sure(const JobKind& kind, const Fields& options);

// An option of a job as a command gets it; "" where it is not there.
std::string option_text(const Job& job, std::string_view name);

// The options of a job as they were posted: {"networks": ["a", "b"], "repeat": 1} is networks=a,b and
// repeat=1.
Result<Fields> fields_of_json(std::string_view json_object_text);

}  // namespace ergon::service
