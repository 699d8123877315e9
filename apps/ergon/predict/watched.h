#pragma once

#include <memory>
#include <string>

#include "shell.h"

namespace ergon::app {

// Draws a bar while a long computation reports how far it is.
class Watched {
 public:
  Watched(Shell& shell, std::string label) : shell_(shell), label_(std::move(label)) {}
  void operator()(std::size_t done, std::size_t of) {
    if (!progress_) progress_ = shell_.progress({label_, of});
    progress_->advance(done - shown_);
    shown_ = done;
  }

 private:
  Shell& shell_;
  std::string label_;
  std::unique_ptr<Progress> progress_;
  std::size_t shown_ = 0;
};

}  // namespace ergon::app
