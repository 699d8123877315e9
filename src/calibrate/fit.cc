// The recipe of each twin: which numbers follow from which table, in which order.
//
// Kernels come first, from the time that the GPU is busy; then the host, from the time of an iteration; then
// power, at the clocks that were seen. Where the clock is not known, because the GPU sat at its limit, time
// and power are fitted together. Sweeps over the clock give the voltage and the memory's bandwidth.

#include "calibrate/fit.h"

#include <algorithm>
#include <map>

#include "calibrate/knob.h"
#include "calibrate/recipe.h"

namespace ergon::calibrate {
namespace {

using device::Specification;

const Paths kProducts{"kernels.winograd_gain", "kernels.tensor_share",       "kernels.half_share",
                      "kernels.plain_share",   "kernels.tile_falloff",       "kernels.tile_latency_cycles",
                      "kernels.layout_passes", "kernels.pointwise_share",    "kernels.product_floor_us",
                      "kernels.grouped_share", "kernels.few_channels_share", "kernels.backward_share"};
const Paths kMoves{"kernels.stream_share",
                   "kernels.cache_bandwidth_ratio",
                   "kernels.cache_share",
                   "kernels.depthwise_share",
                   "kernels.depthwise_backward_share",
                   "kernels.norm_share",
                   "kernels.rows_share",
                   "kernels.gather_share",
                   "kernels.overlap",
                   "kernels.floor_us"};
const Paths kHost{"host.inference_us", "host.training_us"};
const Paths kEnergies{"power.busy_w",
                      "power.memory_pj_per_byte",
                      "power.cache_pj_per_byte",
                      "power.plain_pj_per_flop",
                      "power.tensor_pj_per_flop",
                      "power.half_pj_per_flop"};
const Paths kVoltage{"voltage.knee_mhz", "voltage.ratio_at_most"};
const Paths kAll = [] {
  Paths all = kProducts;
  for (const Paths* paths : {&kMoves, &kEnergies}) all.insert(all.end(), paths->begin(), paths->end());
  return all;
}();

Paths operator+(Paths a, const Paths& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Paths without(Paths paths, const std::string& path) {
  std::erase(paths, path);
  return paths;
}

void fit_h200(Recipe& recipe) {
  // The share of its bandwidth that a large copy reaches was seen directly: where a calibration starts.
  recipe.turn_all(
      kVoltage, [&](const auto& gpu) { return recipe.application_loss(gpu); }, 800);
  recipe.turn_all(
      kProducts + without(kMoves, "kernels.stream_share"),
      [&](const auto& gpu) { return recipe.busy_loss(gpu); }, 8000);
  recipe.turn_all(
      kHost, [&](const auto& gpu) { return recipe.time_loss(gpu); }, 200);
  recipe.turn_all(
      kEnergies + Paths{"power.leakage_w_per_k"}, [&](const auto& gpu) { return recipe.power_loss(gpu); },
      5000);
}

void fit_limited(Recipe& recipe) {
  recipe.turn_all(
      Paths{"kernels.tensor_share", "kernels.plain_share", "kernels.winograd_gain", "kernels.stream_share",
            "kernels.layout_passes", "kernels.pointwise_share", "kernels.few_channels_share",
            "kernels.rows_share", "kernels.gather_share", "kernels.depthwise_share", "kernels.norm_share",
            "kernels.backward_share", "kernels.floor_us", "host.inference_us", "host.training_us",
            "power.busy_w", "power.memory_pj_per_byte", "power.plain_pj_per_flop",
            "power.tensor_pj_per_flop"},
      [&](const auto& gpu) { return recipe.limited_loss(gpu); }, 3000);
}

// `besides`: what the device's facts leave open.
void fit_sweep(Recipe& recipe, const Paths& besides) {
  recipe.turn_all(
      kVoltage + besides +
          Paths{"kernels.overlap", "memory.counter_full_share", "power.resident_w", "power.resident_follows",
                "power.memory_pj_per_byte", "power.leakage_w_per_k"},
      [&](const auto& gpu) { return recipe.application_loss(gpu); }, 4000);
}

// One program whose counters nobody read tells the voltage.
void fit_dynamics(Recipe& recipe) {
  recipe.turn_all(
      kVoltage, [&](const auto& gpu) { return recipe.application_loss(gpu); }, 800);
}

void fit_limits(Recipe& recipe) {
  if (!recipe.has_networks()) return;
  recipe.turn_all(
      {"kernels.plain_share", "kernels.winograd_gain", "kernels.norm_share", "kernels.backward_share",
       "kernels.stream_share", "host.training_us", "power.busy_w", "power.plain_pj_per_flop",
       "power.cache_pj_per_byte"},
      [&](const auto& gpu) { return recipe.slowdown_loss(gpu); }, 1500);
}

// What a sweep and training under limits say of the same watts.
void fit_sweep_and_limits(Recipe& recipe) {
  fit_sweep(recipe, {});
  if (!recipe.has_networks()) return;
  fit_limits(recipe);
  recipe.turn_all(
      kVoltage + Paths{"power.resident_w", "power.memory_pj_per_byte", "power.leakage_w_per_k",
                       "power.busy_w", "power.plain_pj_per_flop", "power.cache_pj_per_byte"},
      [&](const auto& gpu) { return 2 * recipe.application_loss(gpu) + recipe.slowdown_loss(gpu); }, 1500);
}

void fit_maxima(Recipe& recipe) {
  recipe.turn_all(
      {"voltage.ratio_at_most", "power.busy_w", "power.plain_pj_per_flop", "power.memory_pj_per_byte"},
      [&](const auto& gpu) { return recipe.maximum_loss(gpu); }, 600);
}

void fit_nothing(Recipe&) {}

// Numbers that a twin takes over from a relative.
struct Loan {
  std::string from;
  Paths paths;
};

// Where a twin's numbers come from: relatives first, then its own tables.
struct Plan {
  std::string device;
  std::vector<Loan> loans;
  void (*steps)(Recipe&) = fit_nothing;
};

// In an order in which every lender has been fitted.
std::vector<Plan> plans() {
  return {
      {"h200", {}, fit_h200},
      {"h100", {{"h200", kAll}}, fit_dynamics},
      {"a100-sxm-80", {{"h200", kAll}}, [](Recipe& recipe) { fit_sweep(recipe, {kBandwidth}); }},
      {"a30", {{"h200", kAll}, {"a100-sxm-80", kVoltage + Paths{kBandwidth}}}, fit_limited},
      {"a100-pcie-40", {{"a30", kAll}, {"a100-sxm-80", kVoltage + Paths{kBandwidth}}}},
      {"a40", {{"a30", without(kAll, "kernels.plain_share")}}, fit_dynamics},
      {"v100", {{"a30", kAll}}, fit_sweep_and_limits},
      {"v100s",
       {{"v100",
         kAll + kVoltage +
             Paths{kBandwidth, "power.resident_w", "power.resident_follows", "power.leakage_w_per_k"}}}},
      {"p100", {{"v100", kAll}}, fit_limits},
      {"p40", {{"p100", kProducts + kMoves}, {"v100", kEnergies}}, fit_maxima},
      {"rtx2080ti", {{"a30", kAll}}, fit_limited},
      {"rtx6000", {{"rtx2080ti", kAll}}},
  };
}

// As if it had never been calibrated, so that a second calibration gives the same as the first.
Specification unfitted(Specification gpu) {
  gpu.fitted.clear();
  gpu.residuals.clear();
  gpu.kernels = {};
  gpu.host = {};
  gpu.power = {.bare = gpu.power.bare, .resident = gpu.power.resident};
  return gpu;
}

// Where the plain cores' energy was fitted and the matrix units' was not, both are of the same process.
void scale_matrix_energies(const Specification& before, Fit& fit) {
  const auto fitted = [&](const char* path) {
    return std::find(fit.fitted_paths.begin(), fit.fitted_paths.end(), path) != fit.fitted_paths.end();
  };
  if (!fitted("power.plain_pj_per_flop")) return;
  const double scale = fit.gpu.power.simt_flop.si() / before.power.simt_flop.si();
  if (!fitted("power.tensor_pj_per_flop")) fit.gpu.power.tensor_flop *= scale;
  if (!fitted("power.half_pj_per_flop")) fit.gpu.power.half_flop *= scale;
}

// Power of busy multiprocessors follows their number and their clock, and a voltage line goes on as steeply
// to another highest clock; all else is per unit of work or a share.
void lend(const Specification& from, const Paths& paths, Specification& to) {
  for (const std::string& path : paths) {
    if (path == kBandwidth) {
      to.memory.over_clock = from.memory.over_clock;
      continue;
    }
    const Knob each = knob(path);
    double value = each.read(from);
    if (path == "voltage.ratio_at_most") {
      value =
          1 + (value - 1) * ((to.core.most - from.voltage.knee) / (from.core.most - from.voltage.knee)).si();
    }
    if (path == "power.busy_w") {
      value *= static_cast<double>(to.multiprocessors) / static_cast<double>(from.multiprocessors) *
               (to.core.most / from.core.most).si();
    }
    each.set(to, std::clamp(value, each.range.least, each.range.most));
  }
}

}  // namespace

Result<std::vector<Fit>> fit_all(const Measured& measured, const Twins& start,
                                 const std::function<void(const std::string&)>& told,
                                 const std::stop_token& stop) {
  std::map<std::string, Fit> fits;
  for (const Plan& plan : plans()) {
    const auto found = start.find(plan.device);
    if (found == start.end()) continue;
    if (stop.stop_requested()) return fail(Errc::cancelled, "the calibration was interrupted");
    told(plan.device);
    Specification first = unfitted(found->second);
    std::map<std::string, std::string> lenders;
    for (const Loan& loan : plan.loans) {
      const auto from = fits.find(loan.from);
      if (from == fits.end()) continue;
      lend(from->second.gpu, loan.paths, first);
      for (const std::string& path : loan.paths) lenders[path] = loan.from;
    }
    Recipe recipe(measured, plan.device, first, stop);
    if (recipe.empty() && plan.steps != fit_nothing) {  // its tables are not here: it stays as it is
      fits[plan.device] = {found->second, {}, {}, false};
      continue;
    }
    plan.steps(recipe);
    scale_matrix_energies(first, recipe.fit());
    recipe.fit().lenders = std::move(lenders);
    fits[plan.device] = std::move(recipe.fit());
  }
  if (stop.stop_requested()) return fail(Errc::cancelled, "the calibration was interrupted");
  // The sweep told what it could of the A100; its arithmetic is that of the A30, whose chip is the same.
  if (const auto a100 = fits.find("a100-sxm-80"), a30 = fits.find("a30");
      a100 != fits.end() && a30 != fits.end() && a100->second.changed) {
    Paths rest;
    for (const std::string& path : kAll) {
      const auto& own = a100->second.fitted_paths;
      if (std::find(own.begin(), own.end(), path) == own.end()) rest.push_back(path);
    }
    lend(a30->second.gpu, rest, a100->second.gpu);
    for (const std::string& path : rest) a100->second.lenders[path] = "a30";
  }
  std::vector<Fit> all;
  for (auto& entry : fits) {
    if (entry.second.changed) all.push_back(std::move(entry.second));
  }
  return all;
}

}  // namespace ergon::calibrate
