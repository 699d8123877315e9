#include <ergon/device.h>
#include <pybind11/stl.h>

#include "module.h"
#include "owned.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
namespace {

using OwnedLease = Owned<Lease>;

std::string text_of(std::string_view text) { return std::string(text); }

// A reading: the GIL is released, because drivers may take milliseconds.
template <typename Read>
auto read(Read&& reading) {
  auto result = [&] {
    const py::gil_scoped_release unlocked;
    return reading();
  }();
  return value_of(std::move(result));
}

PowerField field_named(const std::string& name) {
  for (const PowerField each :
       {PowerField::usage, PowerField::average, PowerField::instant, PowerField::samples}) {
    if (name_of(each) == name) return each;
  }
  raise({Errc::unknown_name, "field: \"" + name + "\" is not one of usage, average, instant, samples"});
}

py::dict capabilities_of(const Device& device) {
  const DeviceCapabilities& from = device.capabilities();
  std::vector<std::string> power;
  for (const PowerField each : from.power) power.push_back(text_of(name_of(each)));
  using namespace py::literals;
  return py::dict("power"_a = power, "energy_counter"_a = from.energy_counter,
                  "core_clock"_a = from.core_clock, "memory_clock"_a = from.memory_clock,
                  "supported_clocks"_a = from.supported_clocks, "temperature"_a = from.temperature,
                  "memory_temperature"_a = from.memory_temperature, "utilization"_a = from.utilization,
                  "memory"_a = from.memory, "event_reasons"_a = from.event_reasons,
                  "processes"_a = from.processes, "power_limits"_a = from.power_limits,
                  "set_power_limit"_a = from.set_power_limit, "lock_core_clock"_a = from.lock_core_clock,
                  "lock_memory_clock"_a = from.lock_memory_clock);
}

void add_readings(py::class_<Device>& device) {
  using namespace py::literals;
  device
      .def("power_watts",
           [](const Device& self, const std::optional<std::string>& field) {
             if (!field) return read([&] { return self.power(); }).si();
             const PowerField named = field_named(*field);
             return read([&] { return self.power(named); }).si();
           })
      .def("energy_counter_joules",
           [](const Device& self) { return read([&] { return self.energy_counter(); }).si(); })
      .def("core_clock_hertz",
           [](const Device& self) { return read([&] { return self.core_clock(); }).si(); })
      .def("memory_clock_hertz",
           [](const Device& self) { return read([&] { return self.memory_clock(); }).si(); })
      .def("supported_core_clocks_hertz",
           [](const Device& self) {
             std::vector<double> clocks;
             for (const Hertz each : read([&] { return self.supported_core_clocks(); }))
               clocks.push_back(each.si());
             return clocks;
           })
      .def("temperature_celsius",
           [](const Device& self) { return read([&] { return self.temperature(); }).degrees(); })
      .def("utilization",
           [](const Device& self) {
             const Utilization shares = read([&] { return self.utilization(); });
             return py::dict("compute"_a = shares.compute, "memory"_a = shares.memory);
           })
      .def("memory_bytes",
           [](const Device& self) {
             const MemoryUse memory = read([&] { return self.memory(); });
             return py::dict("total"_a = memory.total.si(), "used"_a = memory.used.si());
           })
      .def("power_limits_watts",
           [](const Device& self) {
             const PowerLimits limits = read([&] { return self.power_limits(); });
             return py::dict("current"_a = limits.current.si(), "default"_a = limits.default_limit.si(),
                             "min"_a = limits.min.si(), "max"_a = limits.max.si());
           })
      .def("processes",
           [](const Device& self) {
             std::vector<std::int64_t> ids;
             for (const DeviceProcess& each : read([&] { return self.processes(); })) ids.push_back(each.pid);
             return ids;
           })
      .def("event_reasons", [](const Device& self) { return read([&] { return self.event_reasons(); }); });
}

void add_lease(py::module_& module) {
  py::class_<OwnedLease>(module, "Lease")
      .def(py::init([](const Device& device) {
        return std::make_unique<OwnedLease>(
            read([&] { return Lease::acquire(device, ControlAllowed::by_user()); }));
      }))
      .def("lock_core_clock", [](OwnedLease& self, double min,
                                 double max) { check((*self).lock_core_clock(Hertz{min}, Hertz{max})); })
      .def("lock_memory_clock", [](OwnedLease& self, double min,
                                   double max) { check((*self).lock_memory_clock(Hertz{min}, Hertz{max})); })
      .def("set_power_limit",
           [](OwnedLease& self, double limit) { check((*self).set_power_limit(Watts{limit})); })
      .def("release", [](OwnedLease& self) {
        const RestoreResult restored = (*self).release();
        return py::make_tuple(restored.complete, restored.failures);
      });
}

}  // namespace

void add_devices(py::module_& module) {
  py::class_<Device> device(module, "Device");
  device.def_static("twin", [](const std::string& name) { return value_of(Device::twin(name)); })
      .def_property_readonly("id", [](const Device& self) { return self.identity().id; })
      .def_property_readonly("uuid", [](const Device& self) { return self.identity().uuid; })
      .def_property_readonly("name", [](const Device& self) { return self.identity().name; })
      .def_property_readonly("kind",
                             [](const Device& self) { return text_of(name_of(self.identity().kind)); })
      .def_property_readonly("simulated", [](const Device& self) { return self.identity().simulated; })
      .def("capabilities", &capabilities_of)
      .def("run",
           [](const Device& self, const Network& network, std::int64_t batch, const std::string& mode,
              const std::optional<std::string>& precision) {
             check(self.run(network, batch, mode_named(mode), precision_named(precision)));
           })
      .def("stop", [](const Device& self) { check(self.stop()); });
  add_readings(device);
  add_lease(module);

  module.def("find_devices", [] {
    const FoundDevices found = [] {
      const py::gil_scoped_release unlocked;
      return ergon::find_devices();
    }();
    std::vector<std::string> problems;
    for (const Error& each : found.problems) problems.push_back(each.message);
    return py::make_tuple(found.devices, problems, found.notes);
  });
  module.def("select_devices", [](const std::vector<std::string>& names) {
    return read([&] { return ergon::select_devices(names); });
  });
  module.def("twin_names", &ergon::twin_names);
}

}  // namespace ergon::python
