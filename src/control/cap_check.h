#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control/controllers/reach.h"
#include "control/run.h"

namespace ergon::control {

// Finds the caps of a run that cannot be held, or were not held.
class CapCheck {
 public:
  // `truth`: empty if the surface of the plant is unknown.
  CapCheck(CapQuestion question, std::shared_ptr<const Surface> truth);

  // Why no point of the controller holds this cap; empty if one does, if the surface is unknown, or if the
  // cap was checked before.
  std::optional<std::string> check(Watts cap);

  // What was not held, with the reason: caps that check() found, caps below idle power, caps that were not
  // met within two decisions, and the bound on the latency of requests, if the last decision exceeded it.
  std::vector<std::string> not_held(const CapRun& run, std::optional<Seconds> latency) const;

 private:
  CapQuestion question_;
  std::shared_ptr<const Surface> truth_;
  std::set<Watts> checked_, impossible_;
  std::vector<std::string> reasons_;
};

}  // namespace ergon::control
