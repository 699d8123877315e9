#pragma once

// The parts of the module ergon._ergon, a file for each header of include/ergon that has a counterpart in
// Python. Python's classes in ../ergon are built on them; they are not for users.

#include <ergon/network.h>
#include <ergon/predict.h>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>

namespace ergon::python {

void add_devices(pybind11::module_& module);
void add_measure(pybind11::module_& module);
void add_networks(pybind11::module_& module);
void add_predict(pybind11::module_& module);
void add_cap(pybind11::module_& module);
void add_profile(pybind11::module_& module);

// Names of the public enumerations. Errors: a name that is not in its list, with the list.
Mode mode_named(const std::string& name);
std::optional<Precision> precision_named(const std::optional<std::string>& name);
std::optional<LaunchHost> host_named(const std::optional<std::string>& name);

}  // namespace ergon::python
