#pragma once

#include <memory>

#include "control/controller.h"

namespace ergon::control {

// Any controller, protected from a sensor that cannot be believed: one that is silent, or tells what no such
// device can draw. Until it speaks sense again the network runs at the safest point, and the log says why.
class Guarded final : public Controller {
 public:
  // `most` is what the device can draw at all.
  Guarded(std::unique_ptr<Controller> inner, Point safest, Watts most);

  std::string_view name() const override { return inner_->name(); }
  Action first(Watts cap) override { return inner_->first(cap); }
  Action step(const Reading& reading) override;
  Patience patience() const override { return inner_->patience(); }

 private:
  std::unique_ptr<Controller> inner_;
  Point safest_;
  Watts most_;
};

}  // namespace ergon::control
