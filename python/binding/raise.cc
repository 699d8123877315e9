#include "raise.h"

#include <string>

namespace ergon::python {
namespace py = pybind11;

void raise(const Error& error) {
  const py::object made =
      py::module_::import("ergon._errors").attr("error_of")(std::string(name_of(error.kind)), error.message);
  PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
  throw py::error_already_set();
}

}  // namespace ergon::python
