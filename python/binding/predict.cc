#include <ergon/document.h>
#include <ergon/predict.h>
#include <ergon/tune.h>
#include <pybind11/stl.h>

#include "module.h"
#include "raise.h"

namespace ergon::python {
namespace py = pybind11;
namespace {

using Command = std::vector<std::string>;

template <typename Q>
std::optional<Q> quantity(const std::optional<double>& si) {
  return si ? std::optional<Q>(Q{*si}) : std::nullopt;
}

Objective objective_named(const std::string& name) {
  for (const Objective each :
       {Objective::energy, Objective::energy_delay, Objective::time, Objective::price}) {
    if (name_of(each) == name) return each;
  }
  raise({Errc::unknown_name, "objective: \"" + name + "\" is not one of energy, energy-delay, time, price"});
}

// The keyword arguments of ergon.tune as a request.
TuneRequest request_of(const py::dict& from) {
  const auto optional_number = [&](const char* name) { return from[name].cast<std::optional<double>>(); };
  const auto optional_text = [&](const char* name) { return from[name].cast<std::optional<std::string>>(); };
  TuneRequest to;
  to.objective = objective_named(from["objective"].cast<std::string>());
  to.max_latency = quantity<Seconds>(optional_number("max_latency"));
  to.min_throughput = optional_number("min_throughput");
  to.max_power = quantity<Watts>(optional_number("max_power"));
  to.batches = from["batches"].cast<std::vector<std::int64_t>>();
  to.lock_clocks = from["lock_clocks"].cast<bool>();
  to.min_clock = quantity<Hertz>(optional_number("min_clock"));
  to.max_clock = quantity<Hertz>(optional_number("max_clock"));
  for (const double watts : from["power_limits"].cast<std::vector<double>>())
    to.power_limits.emplace_back(watts);
  to.mode = mode_named(from["mode"].cast<std::string>());
  to.precision = precision_named(optional_text("precision"));
  to.host = host_named(optional_text("host"));
  to.prices.per_kwh = optional_number("per_kwh");
  to.prices.per_gpu_hour = from["per_gpu_hour"].cast<std::map<std::string, double>>();
  return to;
}

Predictor predictor_of(const std::string& device, const std::optional<std::string>& model_file) {
  return value_of(model_file ? Predictor::of_model_file(device, *model_file) : Predictor::of_device(device));
}

std::string predicted_document(const Predictor& predictor, const Network& network,
                               std::optional<std::int64_t> batch, const std::string& mode,
                               const std::optional<std::string>& precision,
                               const std::optional<std::string>& host, std::optional<double> clock,
                               std::optional<double> power_limit, bool curves, Command command) {
  const Workload workload{.batch = batch,
                          .mode = mode_named(mode),
                          .precision = precision_named(precision),
                          .host = host_named(host)};
  const ClockAndLimit setting{quantity<Hertz>(clock), quantity<Watts>(power_limit)};
  const PredictDocumentOptions options{curves, {std::move(command)}};
  auto text = [&] {
    const py::gil_scoped_release unlocked;
    return predict_document(predictor, network, workload, setting, options);
  }();
  return value_of(std::move(text));
}

std::string tuned_document(const Network& network, const std::vector<Predictor>& predictors,
                           const py::dict& keywords, Command command) {
  const TuneRequest request = request_of(keywords);
  const DocumentOptions options{std::move(command)};
  auto text = [&] {
    const py::gil_scoped_release unlocked;
    return tune_document(network, predictors, request, options);
  }();
  return value_of(std::move(text));
}

}  // namespace

void add_predict(py::module_& module) {
  py::class_<Predictor>(module, "Predictor")
      .def(py::init(&predictor_of))
      .def("predict_document", &predicted_document);
  module.def("tune_document", &tuned_document);
}

}  // namespace ergon::python
