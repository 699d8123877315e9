#pragma once

#include <map>
#include <memory>

#include "control/controller.h"
#include "control/controllers/batch_time_model.h"
#include "control/controllers/bayesian_linear_model.h"
#include "control/controllers/cap_margin.h"
#include "control/surfaces/surface.h"

namespace ergon::control {

// Sets batch and clock together, using a model of time and power.
//
// Starts from a prior (a twin, a prediction, or a generic surface) and learns its error online: time by scale
// factors of kernels and host (batch_time_model.h), energy per batch above idle by a linear model in
// log(batch), its square and log(clock) (bayesian_linear_model.h). Measured points also store their
// residuals. The next point has the highest throughput among those whose upper power bound is within the cap
// and whose latency is within the bound. The upper bound follows from the model's deviation and from past
// residuals. The first decisions use a small safety margin, because one measurement fixes all nearby points
// and one decision above the cap is tolerated; later the point changes only for a sufficient gain or because
// of a violation.
class Joint final : public Controller {
 public:
  // Sets the prior deviations: a twin of the device is closer than a generic surface.
  enum class PriorSource { twin, generic };
  struct Settings {
    Knobs knobs;
    Watts idle;  // power with the model loaded and no work
    std::optional<Seconds> latency;
    PriorSource source = PriorSource::twin;
  };
  // Contract: at least one batch.
  Joint(Settings settings, const Surface& prior);

  std::string_view name() const override { return "joint"; }
  Action first(Watts cap) override;
  Action step(const Feedback& feedback) override;
  DecisionInterval decision_interval() const override { return {10, 3}; }

 private:
  using Key = std::pair<std::size_t, std::size_t>;  // indices of batch and clock
  // Logarithms of measured over modeled values at a measured point.
  struct PointResidual {
    double time = 0, energy = 0;
    int count = 0;  // decisions in the means
  };
  struct PointEstimate {
    Point point;
    Seconds time;            // of one batch
    Watts power, max_power;  // estimate and upper bound
    // Samples per second.
    double throughput() const { return static_cast<double>(point.batch) / time.si(); }
  };
  // Prior of one point, precomputed.
  struct Prior {
    BatchTimeModel::Features time_features;
    double log_joules = 0;  // energy of a batch, above idle
    BayesianLinearModel::Features energy_features{};
  };
  // Position of a point in the knobs.
  struct KnobIndex {
    std::size_t batch = 0, clock = 0;
  };

  Prior prior_of(const Point& point, const Surface& surface) const;
  KnobIndex index_of(const Point& point) const;
  Point point_at(const KnobIndex& index) const;
  const Prior& prior_at(const KnobIndex& index) const;
  PointEstimate estimate(const KnobIndex& index) const;
  bool fits(const PointEstimate& estimate, Watts limit) const;
  // This point, or one with a smaller or equal batch and clock, repeatedly exceeded this cap or a higher one.
  bool is_excluded(const KnobIndex& index) const;
  void record_violation(const KnobIndex& index);
  // The best batch at a clock; empty if none fits.
  std::optional<PointEstimate> best_at(std::size_t clock, Watts limit) const;
  std::optional<PointEstimate> best(Watts limit) const;
  // The smallest batch at the clock that makes it fastest within the limit, regardless of the latency bound.
  std::optional<PointEstimate> fastest(Watts limit) const;
  // The measured point of highest throughput within the limit; otherwise the safest point.
  Point best_measured(Watts limit) const;
  // The next larger batch, if it was never measured, promises a large gain and exceeds the limit only
  // slightly.
  std::optional<PointEstimate> exploration_candidate(const PointEstimate& here, Watts limit) const;
  void update_models(const Feedback& feedback);
  // Restores the prior.
  void reset_models();
  // Inflates the uncertainty of all points when the temperature has changed, and restarts the search.
  void update_temperature(const std::optional<Celsius>& temperature);

  Settings settings_;
  std::vector<Prior> priors_;  // batches of the first clock, then of the second, ...
  double middle_batch_ = 1;
  std::optional<Hertz> highest_clock_;  // empty: the clock is not set
  BatchTimeModel batch_time_;
  BayesianLinearModel energy_;  // log of energy per batch above idle over its prior
  double min_residual_deviation_, residual_deviation_;
  double deviations_ = 1;  // width of the upper power bound, in standard deviations
  Watts cap_;
  int consecutive_violations_ = 0;
  int decisions_ = 0, explorations_ = 0;  // under this cap
  std::size_t max_batch_index_;           // largest batch that may be chosen
  std::map<Key, PointResidual> measured_;
  struct ViolationRecord {
    KnobIndex index;
    int count = 0;
    Watts cap;  // the highest cap exceeded
  };
  std::vector<ViolationRecord> violations_;
  CapMargin margin_;
  std::optional<Celsius> temperature_;  // at which the models were fitted
};

}  // namespace ergon::control
