#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "service/jobs/job.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/line_tail.h"
#include "service/jobs/process.h"

namespace ergon::service {

// The commands of a job, one after the other. To be looked after by one thread, which has to live as long as
// the job should (see Process).
class JobRun {
 public:
  JobRun(std::string program, std::vector<JobStep> steps, std::filesystem::path folder);

  // Sees what happened, and begins the next command. True: something is new.
  bool look();

  // The first exit code that is no success, or the last one's. 0 and 3 are successes.
  std::optional<int> exit_code() const { return exit_code_; }
  const std::optional<JobProgress>& progress() const { return progress_; }
  // What was said last on standard error, without progress; by the first command that failed, if one did.
  const std::string& last_words() const { return worst_ != 0 ? first_failure_ : last_words_; }
  bool stopping() const { return stopping_; }

  // A wish to stop. Steps that are worth it even then are still done.
  void stop();
  void kill();

 private:
  void begin();
  void ended(int exit_code);
  void read_messages();

  std::string program_;
  std::vector<JobStep> steps_;
  std::filesystem::path folder_;
  std::size_t step_ = 0;
  std::optional<Process> process_;
  LineTail messages_;
  std::optional<JobProgress> progress_;
  std::string last_words_, first_failure_;
  bool stopping_ = false, interrupted_ = false;
  int worst_ = 0;
  std::optional<int> exit_code_;
};

// "progress<tab>label<tab>done<tab>total<tab>unit", as ERGON_PROGRESS=records has it.
std::optional<JobProgress> progress_of(std::string_view line);

}  // namespace ergon::service
