// The calibration steps of each twin: which parameters are fitted to which table, and in which order.
//
// Kernel parameters are fitted first, to kernel times; then launch times, to iteration times; then power
// parameters, at the measured clocks. If the clock is unknown because the GPU was at its power limit, time
// and power are fitted together. Clock sweeps determine the voltage and the memory bandwidth.

#include "calibrate/fit.h"

#include <algorithm>
#include <map>

#include "calibrate/calibration.h"
#include "calibrate/fit_parameter.h"

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

void fit_h200(Calibration& calibration) {
  // kernels.stream_share is not fitted: large copies measured it directly, and its start value is that
  // result.
  calibration.optimize(
      kVoltage, [&](const auto& gpu) { return calibration.application_loss(gpu); }, 800);
  calibration.optimize(
      kProducts + without(kMoves, "kernels.stream_share"),
      [&](const auto& gpu) { return calibration.busy_loss(gpu); }, 8000);
  calibration.optimize(
      kHost, [&](const auto& gpu) { return calibration.time_loss(gpu); }, 200);
  calibration.optimize(
      kEnergies + Paths{"power.leakage_w_per_k"},
      [&](const auto& gpu) { return calibration.power_loss(gpu); }, 5000);
}

void fit_limited(Calibration& calibration) {
  calibration.optimize(
      Paths{"kernels.tensor_share", "kernels.plain_share", "kernels.winograd_gain", "kernels.stream_share",
            "kernels.layout_passes", "kernels.pointwise_share", "kernels.few_channels_share",
            "kernels.rows_share", "kernels.gather_share", "kernels.depthwise_share", "kernels.norm_share",
            "kernels.backward_share", "kernels.floor_us", "host.inference_us", "host.training_us",
            "power.busy_w", "power.memory_pj_per_byte", "power.plain_pj_per_flop",
            "power.tensor_pj_per_flop"},
      [&](const auto& gpu) { return calibration.limited_loss(gpu); }, 3000);
}

// `besides`: further parameters to fit.
void fit_sweep(Calibration& calibration, const Paths& besides) {
  calibration.optimize(
      kVoltage + besides +
          Paths{"kernels.overlap", "memory.counter_full_share", "power.resident_w", "power.resident_follows",
                "power.memory_pj_per_byte", "power.leakage_w_per_k"},
      [&](const auto& gpu) { return calibration.application_loss(gpu); }, 4000);
}

// Fits the voltage to one application without activity counters.
void fit_voltage(Calibration& calibration) {
  calibration.optimize(
      kVoltage, [&](const auto& gpu) { return calibration.application_loss(gpu); }, 800);
}

void fit_limits(Calibration& calibration) {
  if (!calibration.has_networks()) return;
  calibration.optimize(
      {"kernels.plain_share", "kernels.winograd_gain", "kernels.norm_share", "kernels.backward_share",
       "kernels.stream_share", "host.training_us", "power.busy_w", "power.plain_pj_per_flop",
       "power.cache_pj_per_byte"},
      [&](const auto& gpu) { return calibration.slowdown_loss(gpu); }, 1500);
}

// Fits the same power parameters to a clock sweep and to training under power limits.
void fit_sweep_and_limits(Calibration& calibration) {
  fit_sweep(calibration, {});
  if (!calibration.has_networks()) return;
  fit_limits(calibration);
  calibration.optimize(
      kVoltage + Paths{"power.resident_w", "power.memory_pj_per_byte", "power.leakage_w_per_k",
                       "power.busy_w", "power.plain_pj_per_flop", "power.cache_pj_per_byte"},
      [&](const auto& gpu) { return 2 * calibration.application_loss(gpu) + calibration.slowdown_loss(gpu); },
      1500);
}

void fit_maxima(Calibration& calibration) {
  calibration.optimize(
      {"voltage.ratio_at_most", "power.busy_w", "power.plain_pj_per_flop", "power.memory_pj_per_byte"},
      [&](const auto& gpu) { return calibration.maximum_loss(gpu); }, 600);
}

void no_steps(Calibration&) {}

// Parameters that a twin takes from a related twin.
struct Inheritance {
  std::string from;
  Paths paths;
};

// Calibration of one twin: parameters of related twins first, then its own tables.
struct Plan {
  std::string device;
  std::vector<Inheritance> inherited;
  void (*steps)(Calibration&) = no_steps;
};

// Ordered so that a twin comes after those it inherits from.
std::vector<Plan> plans() {
  return {
      {"h200", {}, fit_h200},
      {"h100", {{"h200", kAll}}, fit_voltage},
      {"a100-sxm-80",
       {{"h200", kAll}},
       [](Calibration& calibration) { fit_sweep(calibration, {kBandwidth}); }},
      {"a30", {{"h200", kAll}, {"a100-sxm-80", kVoltage + Paths{kBandwidth}}}, fit_limited},
      {"a100-pcie-40", {{"a30", kAll}, {"a100-sxm-80", kVoltage + Paths{kBandwidth}}}},
      {"a40", {{"a30", without(kAll, "kernels.plain_share")}}, fit_voltage},
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

// Resets all calibrated parameters, so that repeated calibrations give the same result.
Specification unfitted(Specification gpu) {
  gpu.fitted.clear();
  gpu.residuals.clear();
  gpu.kernels = {};
  gpu.host = {};
  gpu.power = {.bare = gpu.power.bare, .resident = gpu.power.resident};
  return gpu;
}

// Scales tensor core energies, if not fitted, like the fitted energy of the CUDA cores: both are built in the
// same process.
void scale_tensor_energies(const Specification& before, Fit& fit) {
  const auto fitted = [&](const char* path) {
    return std::find(fit.fitted_paths.begin(), fit.fitted_paths.end(), path) != fit.fitted_paths.end();
  };
  if (!fitted("power.plain_pj_per_flop")) return;
  const double scale = fit.gpu.power.simt_flop.si() / before.power.simt_flop.si();
  if (!fitted("power.tensor_pj_per_flop")) fit.gpu.power.tensor_flop *= scale;
  if (!fitted("power.half_pj_per_flop")) fit.gpu.power.half_flop *= scale;
}

// Copies parameters to another GPU. Power of busy multiprocessors scales with their number and clock; the
// slope of the voltage line is kept. All other parameters are shares or per unit of work.
void copy_parameters(const Specification& from, const Paths& paths, Specification& to) {
  for (const std::string& path : paths) {
    if (path == kBandwidth) {
      to.memory.over_clock = from.memory.over_clock;
      continue;
    }
    const FitParameter each = fit_parameter(path);
    double value = each.read(from);
    if (path == "voltage.ratio_at_most") {
      value =
          1 + (value - 1) * ((to.core.max - from.voltage.knee) / (from.core.max - from.voltage.knee)).si();
    }
    if (path == "power.busy_w") {
      value *= static_cast<double>(to.multiprocessors) / static_cast<double>(from.multiprocessors) *
               (to.core.max / from.core.max).si();
    }
    each.set(to, std::clamp(value, each.range.min, each.range.max));
  }
}

}  // namespace

Result<std::vector<Fit>> fit_all(const MeasuredTables& measured, const Twins& start,
                                 const std::function<void(const std::string&)>& progress,
                                 const std::stop_token& stop) {
  std::map<std::string, Fit> fits;
  for (const Plan& plan : plans()) {
    const auto found = start.find(plan.device);
    if (found == start.end()) continue;
    if (stop.stop_requested()) return fail(Errc::cancelled, "calibration interrupted");
    progress(plan.device);
    Specification first = unfitted(found->second);
    std::map<std::string, std::string> inherited_from;
    for (const Inheritance& loan : plan.inherited) {
      const auto from = fits.find(loan.from);
      if (from == fits.end()) continue;
      copy_parameters(from->second.gpu, loan.paths, first);
      for (const std::string& path : loan.paths) inherited_from[path] = loan.from;
    }
    Calibration calibration(measured, plan.device, first, stop);
    if (calibration.empty() && plan.steps != no_steps) {  // its tables are missing: unchanged
      fits[plan.device] = {found->second, {}, {}, false};
      continue;
    }
    plan.steps(calibration);
    scale_tensor_energies(first, calibration.fit());
    calibration.fit().inherited_from = std::move(inherited_from);
    fits[plan.device] = std::move(calibration.fit());
  }
  if (stop.stop_requested()) return fail(Errc::cancelled, "calibration interrupted");
  // The sweep does not determine the arithmetic of the A100; it is taken from the A30, which has the same
  // chip.
  if (const auto a100 = fits.find("a100-sxm-80"), a30 = fits.find("a30");
      a100 != fits.end() && a30 != fits.end() && a100->second.changed) {
    Paths rest;
    for (const std::string& path : kAll) {
      const auto& fitted = a100->second.fitted_paths;
      if (std::find(fitted.begin(), fitted.end(), path) == fitted.end()) rest.push_back(path);
    }
    copy_parameters(a30->second.gpu, rest, a100->second.gpu);
    for (const std::string& path : rest) a100->second.inherited_from[path] = "a30";
  }
  std::vector<Fit> all;
  for (auto& entry : fits) {
    if (entry.second.changed) all.push_back(std::move(entry.second));
  }
  return all;
}

}  // namespace ergon::calibrate
