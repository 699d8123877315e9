#pragma once

#include <memory>
#include <string>

#include "shell.h"

namespace ergon::app {

// Progress bar of a long computation; call it with the work done so far and the total.
class ProgressReporter {
 public:
  ProgressReporter(Shell& shell, std::string label) : shell_(shell), label_(std::move(label)) {}
  void operator()(std::size_t done, std::size_t of) {
    if (!progress_) progress_ = shell_.progress({label_, of});
    progress_->advance(done - shown_);
    shown_ = done;
  }
  // Ends the progress bar.
  void finish() { progress_.reset(); }

 private:
  Shell& shell_;
  std::string label_;
  std::unique_ptr<Progress> progress_;
  std::size_t shown_ = 0;
};

}  // namespace ergon::app
