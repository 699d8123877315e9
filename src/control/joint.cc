#include "control/joint.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

// Less is not worth a change: while it looks for the best, and once it should have found it.
constexpr double kWorth = 0.007, kWorthLater = 0.025;
constexpr int kLater = 7;
// Readings that the mean at a point is taken of.
constexpr int kRemembered = 6;
// As much throughput as makes no difference: the smaller batch is preferred.
constexpr double kEqual = 0.003;
// Of a point that was visited, and of one reading.
constexpr double kKnown = 0.004, kReading = 0.01;
// How far a point may wander from what it was before all others are doubted.
constexpr double kDrift = 0.02, kDoubt = 0.02;
// So many degrees make another chip: what leaks grows, and what others draw is known less well.
constexpr double kWarmer = 5;
// Before what was over the cap may be tried again; before it is another network, or what was read was wrong,
// and nothing of it holds. Single readings of an H200 stray by up to 0.1.
constexpr double kChanged = 0.15, kAnother = 0.3;

// Deviations of the weights of 1, log batch, its square over four, and log clock.
constexpr Belief::Features kTwin{0.25, 0.08, 0.03, 0.15}, kGuess{1.0, 0.35, 0.12, 0.6};
// Deviations of kernels, their lean with batch and clock, and the host.
constexpr PaceModel::Weights kTwinPace{0.2, 0.04, 0.1, 0.5}, kGuessPace{3, 0.15, 0.3, 3};
// What a line leaves over, at first; later as large as surprises are.
constexpr double kTwinMisfit = 0.02, kGuessMisfit = 0.04, kMostMisfit = 0.15, kSurprise = 0.3;
// So many decisions may be bold: better to be over a cap once than below what is possible for ever.
constexpr int kBold = 5;
constexpr double kBoldCare = 0.1, kCare = 1;
// How many times the largest batch that was tried the next one may be: beliefs that a first reading bent can
// be far off. Who was told nothing has to leap to learn anything.
constexpr double kLeap = 8;
// A batch that brings so much more, where power leaves so much room, is tried although it is believed to be
// over the cap by a little: so often, and early on.
constexpr double kMuchMore = 1.05, kRoom = 1.06, kALittleOver = 1.08;
constexpr int kTries = 2, kTriesFrom = 2, kTriesUntil = 6;
// What was left so often for too much power is not gone to again, until the cap is higher by this.
constexpr int kOffences = 2;
constexpr double kHigher = 1.01;
// From above a cap the way leads well below it, to where it is sure.
constexpr double kWellBelow = 0.985, kSureCare = 2;

}  // namespace

Joint::Joint(Settings settings, const Surface& believed)
    : settings_(std::move(settings)),
      pace_(settings_.trust == Trust::twin ? kTwinPace : kGuessPace),
      energy_(settings_.trust == Trust::twin ? kTwin : kGuess),
      least_misfit_(settings_.trust == Trust::twin ? kTwinMisfit : kGuessMisfit),
      misfit_(least_misfit_) {
  const auto& [batches, clocks] = settings_.knobs;
  ERGON_EXPECTS(!batches.empty());
  reach_ = batches.size() - 1;
  middle_batch_ = std::sqrt(static_cast<double>(batches.front()) * static_cast<double>(batches.back()));
  highest_clock_ = clocks.empty() ? 1 : clocks.back().si();
  // Asked once for all points, so that a decision only has to correct it.
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, clocks.size()); ++clock) {
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
      priors_.push_back(prior_of(point_at({batch, clock}), believed));
  }
}

Joint::Prior Joint::prior_of(const Point& point, const Surface& surface) const {
  const Expectation believed = surface.at(point);
  const double batch = std::log(static_cast<double>(point.batch) / middle_batch_);
  const double clock = point.clock ? std::log(point.clock->si() / highest_clock_) : 0;
  Prior prior;
  prior.features = {1, batch, batch * batch / 4, clock};
  prior.place = {std::log(believed.time.si()), std::nullopt, batch, clock};
  // Where nobody knows what the time is made of, all of it are kernels.
  if (believed.gpu > Seconds{0} && believed.host > Seconds{0}) {
    prior.place.gpu = std::log(believed.gpu.si());
    prior.place.host = std::log(believed.host.si());
  }
  prior.energy = std::log(std::max(1.0, (believed.power - settings_.idle).si()) * believed.time.si());
  return prior;
}

Point Joint::point_at(const Place& place) const {
  const auto& [batches, clocks] = settings_.knobs;
  return {batches[place.batch], clocks.empty() ? std::nullopt : std::optional(clocks[place.clock])};
}

Joint::Place Joint::place_of(const Point& point) const {
  const auto index = [](const auto& ascending, const auto& value) {
    const auto found = std::lower_bound(ascending.begin(), ascending.end(), value);
    return static_cast<std::size_t>(std::min(found, ascending.end() - 1) - ascending.begin());
  };
  const auto& [batches, clocks] = settings_.knobs;
  return {index(batches, point.batch),
          clocks.empty() ? 0 : index(clocks, point.clock.value_or(clocks.back()))};
}

const Joint::Prior& Joint::prior_at(const Place& place) const {
  return priors_[place.clock * settings_.knobs.batches.size() + place.batch];
}

Joint::Guess Joint::guess(const Place& place) const {
  const Prior& prior = prior_at(place);
  double time = pace_.log_time_at(prior.place);
  auto [energy, deviation] = energy_.at(prior.features);
  const auto known = visited_.find({place.batch, place.clock});
  if (known != visited_.end()) {
    time += known->second.time;
    energy += known->second.energy;
    deviation = kKnown;
  } else {
    deviation = std::hypot(deviation, misfit_);
  }
  const double above = std::exp(prior.energy + energy - time), idle = settings_.idle.si();
  return {point_at(place), std::exp(time), idle + above, idle + above * std::exp(care_ * deviation)};
}

bool Joint::fits(const Guess& guess, double limit) const {
  if (settings_.latency && guess.time > settings_.latency->si()) return false;
  return guess.most_power <= limit;
}

bool Joint::barred(const Place& place) const {
  return std::ranges::any_of(offences_, [&](const Offence& each) {
    return each.times >= kOffences && cap_ < each.cap * kHigher && each.place.batch <= place.batch &&
           each.place.clock <= place.clock;
  });
}

void Joint::bar(const Place& place) {
  auto known = std::ranges::find_if(offences_, [&](const Offence& each) {
    return each.place.batch == place.batch && each.place.clock == place.clock;
  });
  if (known == offences_.end()) known = offences_.insert(offences_.end(), {place, 0, cap_});
  ++known->times;
  known->cap = std::max(known->cap, cap_);
}

std::optional<Joint::Guess> Joint::best_at(std::size_t clock, double limit) const {
  if (!fits(guess({0, clock}), limit) || barred({0, clock})) return std::nullopt;
  // Power and latency rise with the batch; so does throughput, up to where it no longer does.
  std::size_t low = 0, high = reach_ + 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const bool possible = !barred({middle, clock}) && fits(guess({middle, clock}), limit);
    (possible ? low : high) = middle;
  }
  Guess chosen = guess({low, clock});
  const double enough = chosen.throughput() * (1 - kEqual);
  for (std::size_t less = 0, more = low; less < more;) {
    const std::size_t middle = (less + more) / 2;
    const Guess smaller = guess({middle, clock});
    if (smaller.throughput() < enough) {
      less = middle + 1;
      continue;
    }
    more = middle;
    if (fits(smaller, limit)) chosen = smaller;
  }
  return chosen;
}

std::optional<Joint::Guess> Joint::worth_a_try(const Guess& here, double limit) const {
  if (readings_ < kTriesFrom || readings_ > kTriesUntil || tries_ == kTries) return std::nullopt;
  Place place = place_of(here.point);
  if (++place.batch >= settings_.knobs.batches.size() || visited_.contains({place.batch, place.clock}) ||
      barred(place))
    return std::nullopt;
  const Guess more = guess(place);
  const bool late = settings_.latency && more.time > settings_.latency->si();
  const bool promising = more.throughput() > here.throughput() * kMuchMore && here.power * kRoom < limit &&
                         more.power < limit * kALittleOver;
  return promising && !late ? std::optional(more) : std::nullopt;
}

Point Joint::surest(double limit) const {
  std::optional<Guess> found;
  for (const auto& [key, residual] : visited_) {
    const Guess known = guess({key.first, key.second});
    if (known.power > limit || barred({key.first, key.second})) continue;
    if (!found || known.throughput() > found->throughput()) found = known;
  }
  return found ? found->point : safest_point(settings_.knobs);
}

std::optional<Joint::Guess> Joint::best(double limit) const {
  std::optional<Guess> found;
  const auto consider = [&](const std::optional<Guess>& other) {
    if (other && (!found || other->throughput() > found->throughput())) found = other;
  };
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, settings_.knobs.clocks.size()); ++clock)
    consider(best_at(clock, limit));
  for (const auto& [key, residual] : visited_) {
    const Place place{key.first, key.second};
    if (const Guess known = guess(place); fits(known, limit) && !barred(place)) consider(known);
  }
  return found;
}

std::optional<Joint::Guess> Joint::fastest(double limit) const {
  std::optional<Guess> found;
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, settings_.knobs.clocks.size()); ++clock) {
    const Guess here = guess({0, clock});
    if (here.most_power <= limit && (!found || here.time < found->time)) found = here;
  }
  return found;
}

void Joint::heed(const std::optional<Celsius>& temperature) {
  if (!temperature) return;
  const double degrees = temperature->degrees();
  if (degrees_ && std::abs(degrees - *degrees_) < kWarmer) return;
  if (degrees_) {
    energy_.doubt(kDoubt);
    readings_ = std::min(readings_, kLater);
  }
  degrees_ = degrees;
}

void Joint::forget() {
  const bool twin = settings_.trust == Trust::twin;
  pace_ = PaceModel(twin ? kTwinPace : kGuessPace);
  energy_ = Belief(twin ? kTwin : kGuess);
  misfit_ = least_misfit_;
  visited_.clear();
}

void Joint::learn(const Reading& reading) {
  spread_.see(reading);
  if (reading.samples <= 0) return;
  const Place here = place_of(reading.point);
  const Prior& prior = prior_at(here);
  if (settings_.trust == Trust::twin) {
    const auto farthest =
        place_of({std::llround(kLeap * static_cast<double>(reading.point.batch)), {}}).batch;
    reach_ = visited_.empty() ? farthest : std::max(reach_, farthest);
  }
  const double time = std::log(static_cast<double>(reading.point.batch) / reading.throughput());
  const double watts = std::max(1.0, (reading.mean_power.value_or(*reading.power) - settings_.idle).si());
  const double energy = std::log(watts) + time - prior.energy;
  const Belief::Features& at = prior.features;
  const auto [known, fresh] = visited_.try_emplace({here.batch, here.clock});
  Residual& residual = known->second;
  const double left = energy - energy_.value_at(at);
  // A point tells once what it tells of others, unless it is no longer what it was.
  const bool wandered = !fresh && std::abs(left - residual.energy) > kDrift;
  // By all of the power: near idle, what is above it strays by nothing.
  const double idle = settings_.idle.si(), before = watts * std::exp(residual.energy - left);
  const double strayed = fresh ? 0 : std::abs(std::log((idle + watts) / (idle + before)));
  if (strayed > kChanged) offences_.clear();
  if (strayed > kAnother) {
    forget();
    return learn(reading);
  }
  if (fresh && visited_.size() > 1)
    misfit_ = std::clamp(misfit_ + kSurprise * (std::abs(left) - misfit_), least_misfit_, kMostMisfit);
  if (fresh || wandered) {
    if (wandered) energy_.doubt(kDoubt);
    energy_.see(at, energy, std::hypot(misfit_, kReading));
    pace_.see(prior.place, std::exp(time));
    residual = {time - pace_.log_time_at(prior.place), energy - energy_.value_at(at), 1};
    return;
  }
  residual.times = std::min(residual.times + 1, kRemembered);
  residual.energy += (left - residual.energy) / residual.times;
  residual.time += (time - pace_.log_time_at(prior.place) - residual.time) / residual.times;
}

Action Joint::first(Watts cap) {
  cap_ = cap;
  const auto found = best(spread_.limit(cap));
  if (const auto quick = fastest(spread_.limit(cap)); !found && quick)
    return {quick->point, "nothing is sure to keep the latency: the fastest within the cap"};
  if (!found)
    return {safest_point(settings_.knobs), "nothing is sure to stay within the cap: the safest point"};
  return {found->point, fmt::format("{} should draw {:.0f} W, {:.0f} W at most", text_of(found->point),
                                    found->power, found->most_power)};
}

Action Joint::step(const Reading& reading) {
  if (!reading.power) return {safest_point(settings_.knobs), "no reading: the safest point"};
  if (reading.cap != cap_) readings_ = tries_ = 0;
  cap_ = reading.cap;
  ++readings_;
  heed(reading.temperature);
  learn(reading);
  const double limit = spread_.limit(reading.cap);
  const double watts = reading.mean_power.value_or(*reading.power).si();
  const Guess here = guess(place_of(reading.point));
  // What is there already may come a little closer to the cap than what is chosen anew.
  const bool over = here.power > spread_.brink(reading.cap) || watts > reading.cap.si();
  const bool violated = watts > reading.cap.si();
  if (over) bar(place_of(reading.point));
  violations_ = violated ? violations_ + 1 : 0;
  // What is believed was wrong twice: only what was seen counts now.
  if (const Point sure = surest(limit * kWellBelow); violations_ > 1 && sure != reading.point) {
    bar(place_of(reading.point));
    return {sure,
            fmt::format("{:.0f} W is too much again: back to {}, which is known", watts, text_of(sure))};
  }
  care_ = violated ? kSureCare : over || readings_ > kBold ? kCare : kBoldCare;
  const auto found = best(violated ? limit * kWellBelow : limit);
  if (!found) {
    if (const auto quick = fastest(limit); quick && settings_.latency)
      return {quick->point, fmt::format("nothing is sure to keep {:.4g} s: {}, the fastest within the cap",
                                        settings_.latency->si(), text_of(quick->point))};
    if (reading.point == safest_point(settings_.knobs))
      return {safest_point(settings_.knobs),
              fmt::format("{:.0f} W at the safest point: a cap of {:.0f} W cannot be held", watts,
                          reading.cap.si())};
    return {safest_point(settings_.knobs),
            fmt::format("{:.0f} W, and nothing is sure to stay within {:.0f} W: the safest point", watts,
                        reading.cap.si())};
  }
  const bool late = settings_.latency && here.time > settings_.latency->si();
  const double worth = readings_ > kLater ? kWorthLater : kWorth;
  if (!over && !late && found->throughput() < here.throughput() * (1 + worth)) {
    const auto more = worth_a_try(here, limit);
    if (!more) return {reading.point, fmt::format("{:.0f} W: stays", watts)};
    ++tries_;
    return {more->point, fmt::format("{:.0f} W leaves room: {} is worth a try, though {:.0f} W are believed",
                                     watts, text_of(more->point), more->power)};
  }
  if (found->point == reading.point) return {reading.point, fmt::format("{:.0f} W: stays", watts)};
  return {found->point, fmt::format("{:.0f} W {}: {} should draw {:.0f} W and bring {:+.1f} %", watts,
                                    over   ? "is too much"
                                    : late ? "in time, but too late"
                                           : "leaves room",
                                    text_of(found->point), found->power,
                                    100 * (found->throughput() / here.throughput() - 1))};
}

}  // namespace ergon::control
