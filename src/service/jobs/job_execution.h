#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "service/jobs/job.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/job_limits.h"
#include "service/jobs/line_tail.h"
#include "service/jobs/process.h"

namespace ergon::service {

// Runs the commands of a job in order. Used by one thread, which must live as long as the job (see Process).
class JobExecution {
 public:
  JobExecution(std::string program, std::vector<JobStep> steps, std::filesystem::path folder,
               const JobLimits& limits = {});

  // Checks the running command and starts the next one. Returns true if anything changed.
  bool poll();

  // The first failing exit code, otherwise the last one; empty while running. 0 and 3 are successes.
  std::optional<int> exit_code() const { return exit_code_; }
  const std::optional<JobProgress>& progress() const { return progress_; }
  // Last line on standard error, without progress records; of the first failed command if one failed.
  const std::string& last_message() const { return failed_code_ != 0 ? first_failure_ : last_words_; }
  // The signal that ended the first failed command, if one did.
  std::optional<int> failed_signal() const { return failed_signal_; }
  bool stopping() const { return stopping_; }
  // Process group of the current command.
  std::optional<int> group() const { return process_ ? std::optional(process_->group()) : std::nullopt; }

  // Interrupts the current command, and kills it if it continues (JobLimits::stop_time). Steps with
  // run_after_stop still run.
  void stop();
  void kill();

 private:
  void start_step();
  void finish_step(int exit_code);
  void read_messages();
  void read_message(const std::string& line);
  void kill_after(Seconds time);

  std::string program_;
  std::vector<JobStep> steps_;
  std::filesystem::path folder_;
  JobLimits limits_;
  std::size_t step_ = 0;
  std::optional<Process> process_;
  LineTail messages_;
  std::optional<JobProgress> progress_;
  std::string last_words_, first_failure_;
  bool stopping_ = false;
  std::optional<std::chrono::steady_clock::time_point> kill_at_;
  int failed_code_ = 0;
  std::optional<int> failed_signal_;
  std::optional<int> exit_code_;
};

// Parses "progress<tab>label<tab>done<tab>total<tab>unit", written with ERGON_PROGRESS=records.
std::optional<JobProgress> progress_of(std::string_view line);

}  // namespace ergon::service
