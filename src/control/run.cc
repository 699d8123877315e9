#include "control/run.h"

#include <fmt/format.h>

namespace ergon::control {
namespace {

// The loop around a controller: caps come in, readings go to it, its actions to the plant, and all of it to
// the log.
class Loop {
 public:
  Loop(Plant& plant, CapSource& caps, Run& run)
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
    const Watts wanted = (*change)->cap, idle = plant_.idle_power();
    if (wanted < idle) {
      const std::string why = fmt::format(
          "a cap of {:.4g} W is below the {:.4g} W that the loaded model draws with nothing running",
          wanted.si(), idle.si());
      caps_.refuse(why);
      if (!cap_) return fail(Errc::invalid_input, "{}", why);
      run_.refused.push_back(
          fmt::format("{:.1f} s: {}; {:.4g} W goes on holding", now().si(), why, cap_->si()));
      return {};
    }
    cap_ = wanted;
    run_.caps.push_back({now(), wanted, (*change)->origin, {}, 0});
    return {};
  }

  void took(const Reading& reading) {
    for (const Stretch& each : plant_.passed()) {
      // Sensors tell late, also of what was before.
      if (each.from >= began_)
        run_.pieces.push_back({{each.from - began_, each.to - began_, each.power}, *cap_});
    }
    for (const Latency& each : plant_.latencies()) run_.latencies.add(each.latency.si(), each.requests);
    Compliance& last = run_.caps.back();
    if (last.took) return;
    ++last.decisions;
    if (reading.power && reading.mean_power.value_or(*reading.power) <= last.cap) {
      last.took = now() - last.at;
      caps_.acknowledge(last.cap, *last.took);
    }
  }

 private:
  Plant& plant_;
  CapSource& caps_;
  Run& run_;
  Seconds began_;
  std::optional<Watts> cap_;
};

}  // namespace

Result<Run> run(Plant& plant, Controller& controller, CapSource& caps, const RunOptions& options) {
  Run all;
  all.controller = std::string(controller.name());
  plant.passed();
  plant.latencies();
  Loop loop(plant, caps, all);
  if (const auto polled = loop.poll(); !polled) return polled.error();
  if (!loop.cap()) return fail(Errc::invalid_input, "there is no cap at the beginning");
  Action action = controller.first(*loop.cap());
  while (loop.now() < options.duration && all.decisions.size() < options.most_decisions &&
         !options.stop.stop_requested()) {
    auto reading = plant.run(action.point, controller.patience());
    if (!reading) return reading.error();
    loop.took(*reading);
    if (const auto polled = loop.poll(); !polled) return polled.error();
    reading->at = loop.now();
    reading->cap = *loop.cap();
    action = controller.step(*reading);
    all.decisions.push_back({*reading, action});
    if (options.watch) options.watch(all.decisions.back());
  }
  return all;
}

}  // namespace ergon::control
