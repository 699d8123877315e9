#include <ergon/document.h>
#include <ergon/network.h>
#include <pybind11/stl.h>

#include "module.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
namespace {

using Command = std::vector<std::string>;

// The enumerator of a name. Errors: with all names.
template <typename E, std::size_t N>
E enumerator_named(const std::string& name, const E (&all)[N], const char* what) {
  std::string known;
  for (const E each : all) {
    if (name_of(each) == name) return each;
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  raise({Errc::unknown_name, std::string(what) + ": \"" + name + "\" is not one of " + known});
}

}  // namespace

Mode mode_named(const std::string& name) {
  static constexpr Mode kAll[] = {Mode::inference, Mode::training};
  return enumerator_named(name, kAll, "mode");
}

std::optional<Precision> precision_named(const std::optional<std::string>& name) {
  static constexpr Precision kAll[] = {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16};
  if (!name) return std::nullopt;
  return enumerator_named(*name, kAll, "precision");
}

std::optional<LaunchHost> host_named(const std::optional<std::string>& name) {
  static constexpr LaunchHost kAll[] = {LaunchHost::python, LaunchHost::native, LaunchHost::transformers};
  if (!name) return std::nullopt;
  return enumerator_named(*name, kAll, "host");
}

void add_networks(py::module_& module) {
  py::class_<Network>(module, "Network")
      .def(py::init([](const std::string& name_or_file, std::optional<std::int64_t> image_size,
                       std::optional<std::int64_t> sequence,
                       const std::map<std::string, std::int64_t>& dimensions, bool strict) {
        auto loaded = [&] {
          const py::gil_scoped_release unlocked;
          return Network::load(
              name_or_file,
              {.image_size = image_size, .sequence = sequence, .dimensions = dimensions, .strict = strict});
        }();
        return value_of(std::move(loaded));
      }))
      .def_property_readonly("name", &Network::name)
      .def_property_readonly("family", &Network::family)
      .def_property_readonly("default_batch", &Network::default_batch)
      .def_property_readonly("batch_is_fixed", &Network::batch_is_fixed)
      .def("inspect_document", [](const Network& network, std::optional<std::int64_t> batch,
                                  const std::string& mode, const Command& command) {
        return value_of(inspect_document(network, batch, mode_named(mode), {command}));
      });
  module.def("zoo_document", [](const Command& command) { return value_of(zoo_document({command})); });
}

}  // namespace ergon::python
