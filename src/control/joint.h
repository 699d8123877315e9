#pragma once

#include <map>
#include <memory>

#include "control/belief.h"
#include "control/controller.h"
#include "control/pace_model.h"
#include "control/spread.h"
#include "control/surface.h"

namespace ergon::control {

// Batch and clock together, by a model of what each point draws and brings.
//
// It begins with what somebody believes of the network on that device (a twin, a predictor, or next to
// nothing) and learns online by how much, and in which direction, that errs: time by factors of kernels and
// host (pace_model.h), the energy of a batch above idle by a line in the logarithms of batch and clock, with
// a bend in the batch. Points that were visited are remembered by what is left over. The next point is the
// one of highest throughput that stays within the cap (and the latency) even if power is as much higher as is
// likely; how likely is learned from surprises. At first it is bold, since one reading makes all points
// nearby well known and a cap may be exceeded for one decision; later it moves only for a gain that is worth
// it, or because it must.
class Joint final : public Controller {
 public:
  enum class Trust { twin, guess };  // how far what is believed at first may be off
  struct Settings {
    Knobs knobs;
    Watts idle;  // with nothing running
    std::optional<Seconds> latency;
    Trust trust = Trust::twin;
  };
  // Contract: there is a batch.
  Joint(Settings settings, const Surface& believed);

  std::string_view name() const override { return "joint"; }
  Action first(Watts cap) override;
  Action step(const Reading& reading) override;
  Patience patience() const override { return {10, 3}; }

 private:
  using Key = std::pair<std::size_t, std::size_t>;  // of the knobs: batch, clock
  struct Residual {
    double time = 0, energy = 0;  // logarithms of what the models leave over
    int times = 0;                // that it was visited
  };
  struct Guess {
    Point point;
    double time = 0, power = 0, most_power = 0;  // seconds, watts; the most that is likely
    double throughput() const { return static_cast<double>(point.batch) / time; }
  };

  // What is believed of a point at first, ready for use.
  struct Prior {
    PaceModel::Place place;
    double energy = 0;  // of a batch, above idle: logarithm
    Belief::Features features{};
  };
  // Where a point stands among the knobs.
  struct Place {
    std::size_t batch = 0, clock = 0;
  };
  Prior prior_of(const Point& point, const Surface& surface) const;
  Place place_of(const Point& point) const;
  Point point_at(const Place& place) const;
  const Prior& prior_at(const Place& place) const;

  Guess guess(const Place& place) const;
  bool fits(const Guess& guess, double limit) const;
  // It was left for too much power again and again under this cap or a higher one, or what draws less was.
  bool barred(const Place& place) const;
  void bar(const Place& place);
  // The best batch at a clock, if any fits.
  std::optional<Guess> best_at(std::size_t clock, double limit) const;
  std::optional<Guess> best(double limit) const;
  // The smallest batch at the clock that makes it quickest within the limit, whatever the latency.
  std::optional<Guess> fastest(double limit) const;
  // Of those that were visited and stayed within the limit, the one of highest throughput; the safest
  // otherwise.
  Point surest(double limit) const;
  // The next batch, if it would bring much, was never tried and is only believed to be a little too much.
  std::optional<Guess> worth_a_try(const Guess& here, double limit) const;
  void learn(const Reading& reading);
  // Back to what was believed at first.
  void forget();
  // Doubts what is known of other points once the chip is warmer or colder, and looks for the best again.
  void heed(const std::optional<Celsius>& temperature);

  Settings settings_;
  std::vector<Prior> priors_;  // clock after clock
  double middle_batch_ = 1, highest_clock_ = 1;
  PaceModel pace_;
  Belief energy_;  // of a batch, above idle: logarithm of the truth over what was believed
  double least_misfit_, misfit_;
  double care_ = 1;  // in deviations
  Watts cap_;
  int violations_ = 0;            // one after the other
  int readings_ = 0, tries_ = 0;  // under this cap
  std::size_t reach_;             // batches up to this place may be chosen
  std::map<Key, Residual> visited_;
  struct Offence {
    Place place;
    int times = 0;
    Watts cap;  // the highest
  };
  std::vector<Offence> offences_;
  Spread spread_;
  std::optional<double> degrees_;  // at which what is known was learned
};

}  // namespace ergon::control
