#include <ergon/profile.h>
#include <pybind11/stl.h>

#include "interruptible.h"
#include "module.h"
#include "owned.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using OwnedProfiler = Owned<Profiler>;

template <typename Q>
py::dict interval_of(const Estimate<Q>& estimate) {
  return py::dict("value"_a = estimate.value.si(), "low"_a = estimate.low.si(),
                  "high"_a = estimate.high.si());
}

template <typename Q>
py::object interval_of(const std::optional<Estimate<Q>>& estimate) {
  return estimate ? py::object(interval_of(*estimate)) : py::object(py::none());
}

py::dict profile_of(const NetworkProfile& from, Mode mode) {
  return py::dict("network"_a = from.network, "device"_a = from.device, "batch"_a = from.batch,
                  "mode"_a = std::string(name_of(mode)), "precision"_a = std::string(name_of(from.precision)),
                  "time_seconds"_a = interval_of(from.time), "power_watts"_a = interval_of(from.power),
                  "energy_joules"_a = interval_of(from.energy),
                  "energy_per_sample_joules"_a = interval_of(from.energy_per_sample),
                  "iterations"_a = from.iterations, "valid"_a = from.valid, "reasons"_a = from.reasons,
                  "notes"_a = from.notes, "engine"_a = from.engine, "simulated"_a = from.simulated);
}

py::dict run(OwnedProfiler& profiler, const Network& network, std::optional<std::int64_t> batch,
             const std::string& mode, const std::optional<std::string>& precision,
             std::optional<double> clock, double duration) {
  ProfileRequest request;
  request.batch = batch;
  request.mode = mode_named(mode);
  request.precision = precision_named(precision);
  if (clock) request.clock = Hertz{*clock};
  request.duration = Seconds{duration};
  Profiler& open = *profiler;
  auto measured =
      interruptible([&](const std::stop_token& stop) { return open.run(network, request, stop); });
  return profile_of(value_of(std::move(measured)), request.mode);
}

}  // namespace

void add_profile(py::module_& module) {
  py::class_<OwnedProfiler>(module, "Profiler")
      .def(py::init([](const std::string& device, bool measure_energy, bool allow_control,
                       std::uint64_t seed) {
        ProfilerOptions options;
        options.measure_energy = measure_energy;
        if (allow_control) options.control = ControlAllowed::by_user();
        options.seed = seed;
        auto opened = interruptible([&](const std::stop_token&) { return Profiler::open(device, options); });
        return std::make_unique<OwnedProfiler>(value_of(std::move(opened)));
      }))
      .def("run", &run);
}

}  // namespace ergon::python
