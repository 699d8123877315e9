#pragma once

#include <memory>

#include "control/controller.h"

namespace ergon::control {

// Wraps a controller and protects it from implausible feedback: no power reading, power that the device
// cannot draw, or no completed samples. Meanwhile the safest operating point is used and the reason is
// logged; then the previous point is restored. The wrapped controller does not receive implausible feedback.
class Guarded final : public Controller {
 public:
  struct PowerRange {
    Watts idle, max;  // idle power and maximum power of the device
  };
  Guarded(std::unique_ptr<Controller> inner, Point safest, PowerRange range);

  std::string_view name() const override { return inner_->name(); }
  Action first(Watts cap) override;
  Action step(const Feedback& feedback) override;
  DecisionInterval decision_interval() const override { return inner_->decision_interval(); }

 private:
  // Why the feedback is implausible; empty if it is plausible.
  std::string fault_of(const Feedback& feedback) const;

  std::unique_ptr<Controller> inner_;
  Point safest_;
  PowerRange range_;
  Point last_;              // chosen by the wrapped controller
  bool at_safest_ = false;  // the last feedback was implausible
};

}  // namespace ergon::control
