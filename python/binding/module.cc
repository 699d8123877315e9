#include "module.h"

#include <ergon/quantity_text.h>
#include <ergon/version.h>
#include <vector>

#include "owned.h"
#include "raise.h"

namespace ergon::python {
namespace {

// Windows keep their meter running, so all of them are closed.
void close_all() {
  const std::vector<Closable*> objects(Closable::all().begin(), Closable::all().end());
  for (Closable* const each : objects) each->close();
}

}  // namespace
}  // namespace ergon::python

PYBIND11_MODULE(_ergon, module) {
  namespace py = pybind11;
  using namespace ergon::python;
  module.doc() = "The C++ API of Ergon (include/ergon). Use the package ergon, which is built on it.";
  module.attr("__version__") = std::string(ergon::version());
  module.def("close_all", &close_all);
  module.def("parse_hertz", [](const std::string& text, const std::string& name) {
    return value_of(ergon::parse_hertz(text, name)).si();
  });
  module.def("parse_seconds", [](const std::string& text, const std::string& name) {
    return value_of(ergon::parse_seconds(text, name)).si();
  });
  module.def("parse_watts", [](const std::string& text, const std::string& name) {
    return value_of(ergon::parse_watts(text, name)).si();
  });
  add_networks(module);
  add_devices(module);
  add_measure(module);
  add_predict(module);
  add_cap(module);
  add_profile(module);
}
