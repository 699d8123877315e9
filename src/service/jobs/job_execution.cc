#include "service/jobs/job_execution.h"

#include "base/errc.h"
#include "base/file.h"
#include "base/text.h"
#include "service/jobs/limit_monitor.h"

namespace ergon::service {
namespace {

// A command that writes faster loses messages; only the last one is shown.
constexpr std::size_t kMessagePiece = std::size_t{64} << 10, kMessagePieces = 16;

bool success(int exit_code) { return exit_code == kExitDone || exit_code == kExitClaimFailed; }

// A usage error ends with the command that shows the help.
bool is_hint(std::string_view line) { return line.find("try: ergon ") != std::string_view::npos; }

}  // namespace

std::optional<JobProgress> progress_of(std::string_view line) {
  const auto cells = split(line, '\t');
  if (cells.size() != 5 || cells[0] != "progress") return std::nullopt;
  const auto done = parse_int64(cells[2]), total = parse_int64(cells[3]);
  if (!done || !total || *done < 0 || *total < 0) return std::nullopt;
  return JobProgress{std::string(cells[1]), std::string(cells[4]), static_cast<std::uint64_t>(*done),
                     static_cast<std::uint64_t>(*total)};
}

JobExecution::JobExecution(std::string program, std::vector<JobStep> steps, std::filesystem::path folder,
                           const JobLimits& limits)
    : program_(std::move(program)),
      steps_(std::move(steps)),
      folder_(std::move(folder)),
      limits_(limits),
      messages_(folder_ / "messages.txt") {
  messages_.skip_all_but(0);  // those of an earlier run
}

bool JobExecution::poll() {
  if (exit_code_) return false;
  if (!process_) {
    start_step();
    return true;
  }
  const auto before = progress_;
  const auto code = process_->ended();
  read_messages();
  if (stopping_ && !kill_at_) {
    const bool evaluates = steps_[step_].run_after_stop;
    if (!evaluates) process_->interrupt();
    kill_after(evaluates ? limits_.evaluation_time : limits_.stop_time);
  }
  if (kill_at_ && std::chrono::steady_clock::now() > *kill_at_) process_->kill();
  if (code) finish_step(*code);
  return code || progress_ != before;
}

void JobExecution::start_step() {
  std::vector<std::string> words{program_};
  words.insert(words.end(), steps_[step_].words.begin(), steps_[step_].words.end());
  const bool last = step_ + 1 == steps_.size();
  // The document is renamed to result.json when it is complete.
  auto started = Process::start(words, folder_ / (last ? "result.part" : "output.txt"),
                                folder_ / "messages.txt", max_file_of(limits_));
  kill_at_.reset();
  if (started) {
    process_.emplace(std::move(*started));
    return;
  }
  last_words_ = started.error().message;
  exit_code_ = kExitFailed;
}

void JobExecution::finish_step(int exit_code) {
  const auto signal = process_->signal();
  process_.reset();
  progress_.reset();
  if (!trim(messages_.partial_line()).empty()) last_words_ = messages_.partial_line();
  const bool last = step_ + 1 == steps_.size();
  if (last && success(exit_code)) {
    std::error_code error;
    std::filesystem::rename(folder_ / "result.part", folder_ / "result.json", error);
    if (error) {
      last_words_ = errno_error(error.value()).in((folder_ / "result.json").string()).message;
      exit_code = kExitFailed;
    }
  }
  if (!success(exit_code) && failed_code_ == 0) {
    failed_code_ = exit_code;
    failed_signal_ = signal;
    first_failure_ = last_words_;
  }
  const bool failed = failed_code_ != 0;
  for (++step_; step_ < steps_.size(); ++step_) {
    if ((!failed && !stopping_) || steps_[step_].run_after_stop) return;
  }
  exit_code_ = failed ? failed_code_ : exit_code;
}

void JobExecution::read_messages() {
  messages_.skip_all_but(kMessagePieces * kMessagePiece);
  for (std::size_t i = 0; i < kMessagePieces; ++i) {
    for (const std::string& line : messages_.read_new_lines(kMessagePiece)) read_message(line);
    if (messages_.at_end()) return;
  }
}

void JobExecution::read_message(const std::string& line) {
  if (auto progress = progress_of(line)) {
    progress_ = std::move(progress);
  } else if (!trim(line).empty() && !is_hint(line)) {
    last_words_ = line;
  }
}

void JobExecution::kill_after(Seconds time) {
  kill_at_ =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(time.si() * 1e9));
}

void JobExecution::stop() { stopping_ = true; }

void JobExecution::kill() {
  stopping_ = true;
  if (process_) process_->kill();
}

}  // namespace ergon::service
