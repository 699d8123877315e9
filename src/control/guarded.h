#pragma once

#include <memory>

#include "control/controller.h"

namespace ergon::control {

// Any controller, protected from readings that cannot be believed: from a sensor that is silent or tells what
// no such device can draw, and of a network that stands still. Until they make sense again the network runs
// at the safest point, and the log says why; then it goes back to where it was. The controller inside sees
// nothing of that time.
class Guarded final : public Controller {
 public:
  struct Range {
    Watts idle, most;  // with nothing running, and what the device can draw at all
  };
  Guarded(std::unique_ptr<Controller> inner, Point safest, Range range);

  std::string_view name() const override { return inner_->name(); }
  Action first(Watts cap) override;
  Action step(const Reading& reading) override;
  Patience patience() const override { return inner_->patience(); }

 private:
  // Why a reading cannot be; empty if it can.
  std::string doubt(const Reading& reading) const;

  std::unique_ptr<Controller> inner_;
  Point safest_;
  Range range_;
  Point last_;         // that the controller inside chose
  bool away_ = false;  // from it, at the safest point
};

}  // namespace ergon::control
