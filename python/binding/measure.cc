#include <ergon/document.h>
#include <ergon/measure.h>
#include <pybind11/stl.h>

#include "interruptible.h"
#include "module.h"
#include "owned.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
namespace {

using OwnedMeter = Owned<Meter>;
using OwnedWindow = Owned<Window>;

// The measurement as the document of `ergon measure`, once it is available.
std::string document_of(OwnedWindow& window, const std::vector<std::string>& command) {
  return value_of(measurement_document(value_of((*window).measurement()), {command}));
}

}  // namespace

void add_measure(py::module_& module) {
  py::class_<OwnedMeter>(module, "Meter")
      .def(py::init([](const std::vector<Device>& devices, std::optional<double> period, bool prompt) {
        MeterOptions options;
        if (period) options.period = Seconds{*period};
        options.prompt = prompt;
        auto started =
            interruptible([&](const std::stop_token& stop) { return Meter::start(devices, options, stop); });
        return std::make_unique<OwnedMeter>(value_of(std::move(started)));
      }))
      .def("begin", [](OwnedMeter& self) { return std::make_unique<OwnedWindow>((*self).begin()); });
  py::class_<OwnedWindow>(module, "Window")
      .def("end", [](OwnedWindow& self) { (*self).end(); })
      .def("available", [](OwnedWindow& self) { return (*self).available(); })
      .def("document", &document_of);
}

}  // namespace ergon::python
