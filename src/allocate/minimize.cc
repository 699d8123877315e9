// Resource-constrained shortest path: energy is the length, time the resource, a layer at a clock the node.
//
// 1. Lagrangian dual. With a price on time, the minimum of energy + price x time is a plain dynamic program
//    (potential.h), and every price gives a lower bound. The best price is where the path changes from too
//    slow to fast enough; the two paths on either side give the next price to try, until the bound stops
//    improving. This solves the dual exactly. The fast path is a feasible schedule; in general a duality gap
//    remains.
//
// 2. Close the gap. Extend all partial schedules ("labels") layer by layer. Drop a label if another one at
// the
//    same clock is neither slower nor costlier, if the rest cannot meet the budget, or if its energy plus the
//    bound for the rest is not below the best known schedule. Completing a label with the relaxation's path
//    gives a schedule; if it fits the budget it may become the new best.
//
// If there are more labels than allowed, those with the lowest bounds are kept. The lowest bound of a dropped
// label is a lower bound for everything that was dropped.

#include "allocate/minimize.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "allocate/potential.h"
#include "base/units_text.h"

namespace ergon::allocate {
namespace {

struct Dual {
  Path best;         // within the budget
  double price = 0;  // of time, J/s
  Joules bound;
  bool exact = false;
};

bool fits(const Problem& problem, Seconds time) { return time <= problem.budget * (1 + kRounding); }

Result<Dual> solve_dual(const Problem& problem) {
  Path cheap = Potential(problem, 1, 0).path();
  if (fits(problem, cheap.time)) return Dual{cheap, 0, cheap.energy, true};
  Path fast = Potential(problem, 0, 1).path();
  if (!fits(problem, fast.time)) {
    return fail(Errc::invalid_input, "the fastest schedule takes {}; {} are allowed", to_text(fast.time),
                to_text(problem.budget));
  }
  Joules bound = cheap.energy;
  double best_price = 0;
  // Every round replaces one of the two paths. There are finitely many; the limit guards against rounding.
  constexpr int kMaxRounds = 1000;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double price = std::max(0.0, ((fast.energy - cheap.energy) / (cheap.time - fast.time)).si());
    const Potential potential(problem, 1, price);
    const double line = cheap.energy.si() + price * cheap.time.si();  // the cost of both paths
    const Joules at_price{potential.whole().cost - price * problem.budget.si()};
    if (at_price > bound) bound = at_price, best_price = price;
    if (potential.whole().cost >= line * (1 - kRounding)) break;
    Path next = potential.path();
    (fits(problem, next.time) ? fast : cheap) = std::move(next);
  }
  return Dual{fast, best_price, bound, false};
}

struct Label {
  Seconds time;
  Joules energy;
  double bound = 0;
  std::uint32_t parent = 0, choice = 0;
};

std::size_t labels_per_layer(std::size_t layers, const SearchLimits& limits) {
  constexpr std::size_t kManyLayers = 100;
  if (layers <= kManyLayers) return limits.labels;
  return std::min(limits.labels, std::max<std::size_t>(1, limits.all_labels / layers));
}

class LabelSearch {
 public:
  LabelSearch(const Problem& problem, const Dual& dual, const SearchLimits& limits)
      : problem_(problem),
        max_labels_(labels_per_layer(problem.layers.size(), limits)),
        fastest_(problem, 0, 1),
        potentials_{Potential(problem, 1, dual.price), Potential(problem, 1, 0.5 * dual.price),
                    Potential(problem, 1, 2 * dual.price)},
        best_(dual.best),
        dropped_(std::numeric_limits<double>::infinity()) {}

  PathOptimum run(Joules dual_bound) {
    const std::size_t states = problem_.levels + 1;
    std::vector<Label> before(1);
    std::vector<std::size_t> begin_before(states + 1, 1);  // labels by state
    for (std::uint32_t state = 0; state <= problem_.top; ++state) begin_before[state] = 0;
    for (std::size_t layer = 0; layer < problem_.layers.size(); ++layer) {
      std::vector<std::vector<Label>> after(states);
      for (std::uint32_t state = 0; state < states; ++state) {
        for (std::size_t i = begin_before[state]; i < begin_before[state + 1]; ++i) {
          extend(layer, state, before[i], static_cast<std::uint32_t>(i), after);
        }
      }
      for (auto& labels : after) keep_undominated(labels);
      keep_promising(after);
      history_.emplace_back();
      std::vector<Label>& all = history_.back();
      begin_before.assign(1, 0);
      for (std::uint32_t state = 0; state < states; ++state) {
        all.insert(all.end(), after[state].begin(), after[state].end());
        begin_before.push_back(all.size());
      }
      before = all;
      look_for_schedules(layer + 1, begin_before);
    }
    build_best_path();
    PathOptimum optimum{.path = best_, .dual_bound = dual_bound};
    const double reachable = std::min(best_.energy.si(), dropped_);
    optimum.lower_bound = std::max(dual_bound, Joules{reachable});
    optimum.lower_bound = std::min(optimum.lower_bound, best_.energy);
    optimum.exact = dropped_ >= best_.energy.si() * (1 - kRounding);
    if (optimum.exact) optimum.lower_bound = best_.energy;
    optimum.dual_bound = std::min(dual_bound, optimum.lower_bound);  // guards against rounding
    return optimum;
  }

 private:
  // Labels at or above this cost cannot improve the result.
  double limit() const { return best_energy_.value_or(best_.energy).si() * (1 - kRounding); }

  // Lower bound on the cost of a schedule with this prefix; infinite if it cannot improve the result.
  double bound(std::size_t next_layer, std::uint32_t state, Seconds time, Joules energy, double limit) const {
    constexpr double kUseless = std::numeric_limits<double>::infinity();
    double highest = 0;
    for (const Potential& potential : potentials_) {
      const double cost = energy.si() + potential.rest(next_layer, state).cost +
                          potential.time_weight() * (time - problem_.budget).si();
      if (cost >= limit) return kUseless;
      highest = std::max(highest, cost);
    }
    return fits(problem_, time + fastest_.rest(next_layer, state).time) ? highest : kUseless;
  }

  void extend(std::size_t layer, std::uint32_t state, const Label& label, std::uint32_t parent,
              std::vector<std::vector<Label>>& after) const {
    const std::vector<LayerChoice>& choices = problem_.layers[layer];
    const double max_cost = limit();
    for (std::uint32_t i = 0; i < choices.size(); ++i) {
      const LayerChoice& choice = choices[i];
      const bool switches = state != choice.enters && state != problem_.levels;
      const Seconds time = label.time + (switches ? choice.time_after_switch : choice.time);
      const Joules energy =
          label.energy + (switches ? choice.energy_after_switch + problem_.switch_energy : choice.energy);
      const std::uint32_t next = state_after(problem_, choice);
      const double cost = bound(layer + 1, next, time, energy, max_cost);
      if (cost < max_cost) after[next].push_back({time, energy, cost, parent, i});
    }
  }

  static void keep_undominated(std::vector<Label>& labels) {
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
      return a.time != b.time ? a.time < b.time : a.energy < b.energy;
    });
    std::size_t kept = 0;
    for (const Label& label : labels) {
      if (kept == 0 || label.energy < labels[kept - 1].energy) labels[kept++] = label;
    }
    labels.resize(kept);
  }

  // Keeps the allowed number of labels with the lowest bounds.
  void keep_promising(std::vector<std::vector<Label>>& after) {
    std::vector<double> bounds;
    for (const auto& labels : after) {
      for (const Label& label : labels) bounds.push_back(label.bound);
    }
    if (bounds.size() <= max_labels_) return;
    const auto cut = bounds.begin() + static_cast<std::ptrdiff_t>(max_labels_);
    std::nth_element(bounds.begin(), cut, bounds.end());
    dropped_ = std::min(dropped_, *cut);
    for (auto& labels : after) {
      const auto gone = [cut](const Label& label) { return label.bound > *cut; };
      labels.erase(std::remove_if(labels.begin(), labels.end(), gone), labels.end());
    }
  }

  // Completes the labels of the last layer with the relaxation's path.
  void look_for_schedules(std::size_t next_layer, const std::vector<std::size_t>& begin) {
    const std::vector<Label>& labels = history_.back();
    for (std::uint32_t state = 0; state + 1 < begin.size(); ++state) {
      for (const Potential& potential : potentials_) {
        const Potential::Rest& rest = potential.rest(next_layer, state);
        for (std::size_t i = begin[state]; i < begin[state + 1]; ++i) {
          const Joules energy = labels[i].energy + rest.energy;
          if (energy.si() >= limit() || !fits(problem_, labels[i].time + rest.time)) continue;
          best_energy_ = energy;
          found_ = {next_layer, static_cast<std::uint32_t>(i), state, &potential};
        }
      }
    }
  }

  // Converts the best label into a path.
  void build_best_path() {
    if (!best_energy_) return;
    std::vector<std::uint32_t> choices;
    std::uint32_t at = found_.label;
    for (std::size_t layer = found_.layers; layer-- > 0;) {
      choices.push_back(history_[layer][at].choice);
      at = history_[layer][at].parent;
    }
    std::reverse(choices.begin(), choices.end());
    found_.rest->follow(found_.layers, found_.state, choices);
    best_ = path_of(problem_, std::move(choices));
  }

  const Problem& problem_;
  std::size_t max_labels_;  // per layer
  Potential fastest_;
  std::array<Potential, 3> potentials_;
  Path best_;
  std::optional<Joules> best_energy_;  // set if a completed label improves on best_
  struct {
    std::size_t layers = 0;
    std::uint32_t label = 0, state = 0;
    const Potential* rest = nullptr;
  } found_;
  double dropped_;  // lowest bound of a dropped label
  std::vector<std::vector<Label>> history_;
};

}  // namespace

Result<PathOptimum> minimize_energy(const Problem& problem, const SearchLimits& limits) {
  auto dual = solve_dual(problem);
  if (!dual) return dual.error();
  if (dual->exact) return PathOptimum{dual->best, dual->bound, dual->bound, true, 0};
  PathOptimum optimum = LabelSearch(problem, *dual, limits).run(dual->bound);
  optimum.time_price = dual->price;
  return optimum;
}

}  // namespace ergon::allocate
