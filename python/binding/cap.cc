#include <ergon/cap_loop.h>
#include <pybind11/stl.h>

#include "interruptible.h"
#include "module.h"
#include "owned.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using OwnedLoop = Owned<CapLoop>;

template <typename Q>
std::optional<double> number(const std::optional<Q>& quantity) {
  return quantity ? std::optional<double>(quantity->si()) : std::nullopt;
}

std::unique_ptr<OwnedLoop> started(const Device& device, const std::vector<std::int64_t>& batches,
                                   const std::vector<double>& clocks, double cap,
                                   const std::string& controller, std::optional<double> max_latency,
                                   std::optional<double> idle_power) {
  OperatingPoints points{.batches = batches, .clocks = {}};
  for (const double hertz : clocks) points.clocks.emplace_back(hertz);
  CapLoopOptions options;
  options.controller.name = controller;
  if (max_latency) options.controller.max_latency = Seconds{*max_latency};
  if (idle_power) options.idle_power = Watts{*idle_power};
  auto loop = interruptible(
      [&](const std::stop_token& stop) { return CapLoop::start(device, points, Watts{cap}, options, stop); });
  return std::make_unique<OwnedLoop>(value_of(std::move(loop)));
}

py::list decisions_of(OwnedLoop& loop) {
  py::list all;
  for (const CapDecision& each : (*loop).result().decisions) {
    const CapFeedback& measured = each.feedback;
    all.append(py::dict("at_seconds"_a = each.at.si(), "batch"_a = measured.point.batch,
                        "clock_hertz"_a = number(measured.point.clock),
                        "samples_per_second"_a = measured.samples / measured.duration.si(),
                        "power_watts"_a = number(measured.power),
                        "mean_power_watts"_a = number(measured.mean_power), "cap_watts"_a = measured.cap.si(),
                        "next_batch"_a = each.next.point.batch,
                        "next_clock_hertz"_a = number(each.next.point.clock), "reason"_a = each.next.reason));
  }
  return all;
}

py::dict summary_of(OwnedLoop& loop) {
  const CapResult result = (*loop).result();
  return py::dict("controller"_a = result.controller, "decisions"_a = result.decisions.size(),
                  "duration_seconds"_a = result.duration.si(), "samples"_a = result.samples,
                  "samples_per_second"_a = result.throughput, "mean_power_watts"_a = result.mean_power.si(),
                  "max_power_watts"_a = result.max_power.si(), "violation_seconds"_a = result.violation.si(),
                  "longest_violation_seconds"_a = result.longest_violation.si(),
                  "violation_joules"_a = result.violation_energy.si(), "mean_batch"_a = result.mean_batch,
                  "mean_clock_hertz"_a = number(result.mean_clock),
                  "settled_after_seconds"_a = result.settled_after.si(),
                  "settled_samples_per_second"_a = result.settled_throughput);
}

}  // namespace

void add_cap(py::module_& module) {
  py::class_<OwnedLoop>(module, "CapLoop")
      .def(py::init(&started))
      .def_property(
          "cap_watts", [](OwnedLoop& self) { return (*self).cap().si(); },
          [](OwnedLoop& self, double cap) { check((*self).set_cap(Watts{cap})); })
      .def_property_readonly("batch", [](OwnedLoop& self) { return (*self).point().batch; })
      .def_property_readonly("clock_hertz", [](OwnedLoop& self) { return number((*self).point().clock); })
      .def_property_readonly("idle_power_watts", [](OwnedLoop& self) { return (*self).idle_power().si(); })
      .def("begin", [](OwnedLoop& self) { (*self).begin_batch(); })
      .def("end", [](OwnedLoop& self) { check((*self).end_batch()); })
      .def("decisions", &decisions_of)
      .def("summary", &summary_of);
}

}  // namespace ergon::python
