#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/notify.h"
#include "base/progress.h"
#include "base/timestamp.h"

namespace ergon::reproduce {

// What a study gets from its caller.
struct Environment {
  std::stop_token stop;
  Timestamp now;  // wall time; runs on twins begin then
  // Shows the progress of some work. May be empty.
  std::function<std::unique_ptr<Progress>(Progress::Work)> progress;
  Notify notify;

  void note(std::string_view message) const {
    if (notify) notify(message);
  }
};

// Progress of work whose size is known only when it begins.
class StepProgress {
 public:
  StepProgress(const Environment& environment, std::string label, std::string unit = {})
      : environment_(environment), label_(std::move(label)), unit_(std::move(unit)) {}

  void begin(std::size_t steps) {
    if (environment_.progress) progress_ = environment_.progress({label_, steps, unit_});
    done_ = 0;
  }
  // `done` steps of `of` are finished.
  void set(std::size_t done, std::size_t of) {
    if (!begun_) begin(of);
    begun_ = true;
    if (progress_) progress_->advance(done - done_);
    done_ = done;
  }
  void advance() {
    if (progress_) progress_->advance();
  }
  void finish() {
    if (progress_) progress_->finish();
  }

 private:
  const Environment& environment_;
  std::string label_, unit_;
  std::unique_ptr<Progress> progress_;
  std::size_t done_ = 0;
  bool begun_ = false;
};

}  // namespace ergon::reproduce
