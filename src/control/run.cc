#include "control/run.h"

#include <fmt/format.h>

#include "base/number_text.h"

namespace ergon::control {
namespace {

// State of the control loop: polls caps, and records power, latencies and compliance.
class Loop {
 public:
  Loop(Plant& plant, CapSource& caps, CapRun& run)
      : plant_(plant), caps_(caps), run_(run), began_(plant.now()) {}

  Seconds now() const { return plant_.now() - began_; }
  const std::optional<Watts>& cap() const { return cap_; }

  Result<> poll() {
    const auto change = caps_.poll(now());
    if (!change) {
      if (!cap_) return change.error();
      run_.remarks.push_back(fmt::format("{:.1f} s: {}", now().si(), change.error().message));
      return {};
    }
    if (!*change) return {};
    const Watts requested = (*change)->cap, idle = plant_.idle_power();
    if (requested < idle) {
      const std::string why = fmt::format("a cap of {} W is below {} W, the idle power with the model loaded",
                                          grouped_text(requested.si()), grouped_text(idle.si()));
      caps_.refuse(why);
      if (!cap_) return fail(Errc::invalid_input, "{}", why);
      run_.refused.push_back(
          fmt::format("{:.1f} s: {}; {} W stays in force", now().si(), why, grouped_text(cap_->si())));
      return {};
    }
    cap_ = requested;
    run_.caps.push_back({now(), requested, (*change)->origin, {}, 0});
    return {};
  }

  void add_feedback(const Feedback& feedback) {
    for (const PowerSegment& each : plant_.take_power_segments()) {
      // Sensors lag: segments from before the run may still arrive.
      if (each.from >= began_)
        run_.segments.push_back({{each.from - began_, each.to - began_, each.power}, *cap_});
    }
    for (const Latency& each : plant_.take_latencies()) run_.latencies.add(each.latency.si(), each.requests);
    Compliance& last = run_.caps.back();
    if (last.took) return;
    ++last.decisions;
    if (feedback.power && feedback.mean_power.value_or(*feedback.power) <= last.cap) {
      last.took = now() - last.at;
      caps_.acknowledge(last.cap, *last.took);
    }
  }

 private:
  Plant& plant_;
  CapSource& caps_;
  CapRun& run_;
  Seconds began_;
  std::optional<Watts> cap_;
};

}  // namespace

Result<CapRun> run(Plant& plant, Controller& controller, CapSource& caps, const RunOptions& options) {
  CapRun all;
  all.controller = std::string(controller.name());
  plant.take_power_segments();
  plant.take_latencies();
  Loop loop(plant, caps, all);
  if (const auto polled = loop.poll(); !polled) return polled.error();
  if (!loop.cap()) return fail(Errc::invalid_input, "no cap at the start of the run");
  Action action = controller.first(*loop.cap());
  while (loop.now() < options.duration && all.decisions.size() < options.max_decisions &&
         !options.stop.stop_requested()) {
    auto feedback = plant.run(action.point, controller.decision_interval());
    if (!feedback) return feedback.error();
    loop.add_feedback(*feedback);
    if (const auto polled = loop.poll(); !polled) return polled.error();
    feedback->at = loop.now();
    feedback->cap = *loop.cap();
    action = controller.step(*feedback);
    all.decisions.push_back({*feedback, action});
    if (options.on_decision) options.on_decision(all.decisions.back());
  }
  return all;
}

}  // namespace ergon::control
