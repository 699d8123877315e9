#include <algorithm>
#include <ergon/cap.h>
#include <utility>

#include "api/cap_convert.h"
#include "control/controllers/choice.h"
#include "control/run.h"
#include "control/surfaces/surface.h"

namespace ergon {
namespace {

// The prior of the caller.
class PriorSurface final : public control::Surface {
 public:
  explicit PriorSurface(CapPrior prior) : prior_(std::move(prior)) {}

  control::Expectation at(const control::Point& point) const override {
    const Expectation expected = prior_(api::public_point(point));
    return {expected.time, expected.power, expected.kernels.value_or(Seconds{}),
            expected.host.value_or(Seconds{})};
  }

 private:
  CapPrior prior_;
};

// What a controller needs to know of a plant before it runs.
class DescribedPlant : public control::Plant {
 public:
  DescribedPlant(control::Knobs knobs, Watts idle) : knobs_(std::move(knobs)), idle_(idle) {}

  const control::Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return false; }
  Seconds now() const override { return Seconds{0}; }
  Watts idle_power() const override { return idle_; }
  Result<control::Feedback> run(const control::Point&,
                                const control::Controller::DecisionInterval&) override {
    return fail(Errc::unsupported, "this plant cannot run");
  }
  std::vector<control::PowerSegment> take_power_segments() override { return {}; }
  std::vector<control::Latency> take_latencies() override { return {}; }

 private:
  control::Knobs knobs_;
  Watts idle_;
};

// The plant of the caller. Power over time is the mean power of its decision intervals.
class CallersPlant final : public DescribedPlant {
 public:
  CallersPlant(ergon::Plant& plant, control::Knobs knobs)
      : DescribedPlant(std::move(knobs), plant.idle_power()), plant_(plant) {}

  Seconds now() const override { return plant_.now(); }

  Result<control::Feedback> run(const control::Point& point,
                                const control::Controller::DecisionInterval& interval) override {
    const Seconds began = plant_.now();
    const auto measured = plant_.run(api::public_point(point), {interval.batches, interval.sensor_updates});
    if (!measured) return measured.error();
    control::Feedback feedback = api::internal_feedback(*measured, plant_.now());
    const auto power = feedback.mean_power ? feedback.mean_power : feedback.power;
    if (power && plant_.now() > began) segments_.push_back({began, plant_.now(), *power});
    if (feedback.latency) latencies_.push_back({*feedback.latency, std::max(feedback.samples, 1.0)});
    return feedback;
  }
  std::vector<control::PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<control::Latency> take_latencies() override { return std::exchange(latencies_, {}); }

 private:
  ergon::Plant& plant_;
  std::vector<control::PowerSegment> segments_;
  std::vector<control::Latency> latencies_;
};

// The cap of the caller, reported when it changes.
class CallersCap final : public control::CapSource {
 public:
  CallersCap(Watts cap, std::function<Watts(Seconds)> cap_at) : cap_(cap), cap_at_(std::move(cap_at)) {}

  Result<std::optional<control::CapChange>> poll(Seconds now) override {
    const Watts cap = cap_at_ && reported_ ? cap_at_(now) : cap_;
    if (reported_ == cap) return std::optional<control::CapChange>();
    reported_ = cap;
    return std::optional(control::CapChange{cap, "caller"});
  }

 private:
  Watts cap_;
  std::function<Watts(Seconds)> cap_at_;
  std::optional<Watts> reported_;
};

Result<std::unique_ptr<control::Controller>> controller_for(const ControllerOptions& options,
                                                            const control::Plant& plant) {
  std::shared_ptr<const control::Surface> prior;
  if (options.prior) prior = std::make_shared<PriorSurface>(options.prior);
  const auto kind = control::controller_named(options.name);
  if (!kind) return kind.error();
  return control::make_controller({*kind, options.max_latency, prior, options.max_power}, plant);
}

}  // namespace

std::vector<std::string> controller_names() { return control::controller_names(); }

struct CapController::State {
  std::unique_ptr<control::Controller> controller;
  Seconds now;  // time at which the points were measured, added up
};

CapController::CapController(std::unique_ptr<State> state) : state_(std::move(state)) {}
CapController::CapController(CapController&&) noexcept = default;
CapController& CapController::operator=(CapController&&) noexcept = default;
CapController::~CapController() = default;

Result<CapController> CapController::make(const OperatingPoints& points, Watts idle_power,
                                          const ControllerOptions& options) {
  auto knobs = api::knobs_of(points);
  if (!knobs) return knobs.error();
  auto controller = controller_for(options, DescribedPlant(std::move(*knobs), idle_power));
  if (!controller) return controller.error();
  return CapController(std::make_unique<State>(State{std::move(*controller), Seconds{0}}));
}

std::string_view CapController::name() const { return state_->controller->name(); }

DecisionInterval CapController::decision_interval() const {
  const auto interval = state_->controller->decision_interval();
  return {interval.batches, interval.sensor_updates};
}

CapAction CapController::first(Watts cap) {
  const control::Action action = state_->controller->first(cap);
  return {api::public_point(action.point), action.reason};
}

CapAction CapController::step(const CapFeedback& feedback) {
  state_->now += feedback.duration;
  const control::Action action = state_->controller->step(api::internal_feedback(feedback, state_->now));
  return {api::public_point(action.point), action.reason};
}

Plant::~Plant() = default;

Result<CapResult> hold_cap(Plant& plant, Watts cap, const CapOptions& options) {
  auto knobs = api::knobs_of(plant.operating_points());
  if (!knobs) return knobs.error();
  CallersPlant adapted(plant, std::move(*knobs));
  auto controller = controller_for(options.controller, adapted);
  if (!controller) return controller.error();
  CallersCap caps(cap, options.cap_at);
  const auto run = control::run(adapted, **controller, caps,
                                {.duration = options.duration,
                                 .max_decisions = options.max_decisions,
                                 .stop = options.stop,
                                 .on_decision = [&](const control::Decision& decision) {
                                   if (options.on_decision)
                                     options.on_decision(api::public_decision(decision));
                                 }});
  if (!run) return run.error();
  return api::public_result(*run);
}

}  // namespace ergon
