#include "report/document.h"

#include <ergon/document.h>

#include <nlohmann/json.hpp>

#include "api/access.h"
#include "api/convert.h"
#include "api/measurement_details.h"
#include "api/tune_convert.h"
#include "base/clock.h"
#include "graph/operation_types.h"
#include "graph/zoo/listing.h"
#include "predict/alternatives.h"
#include "report/measure_json.h"
#include "report/network_json.h"
#include "report/predict_json.h"
#include "report/sanity.h"
#include "report/tune_json.h"

namespace ergon {
namespace {

using Json = nlohmann::ordered_json;

Result<std::string> document_of(std::string_view schema, const Json& body, const DocumentOptions& options,
                                std::vector<std::string> inputs = {}, bool simulated = false) {
  if (auto fine = report::check_sanity(body); !fine) return fine.error();
  return report::document(schema,
                          {.command = options.command,
                           .created = SystemClock().wall_now(),
                           .inputs = std::move(inputs),
                           .simulated = simulated},
                          body);
}

std::vector<std::string> files_of(const Network& network) { return Access::state(network).source.files(); }

void append(std::vector<std::string>& files, const std::vector<std::string>& more) {
  files.insert(files.end(), more.begin(), more.end());
}

}  // namespace

Result<std::string> zoo_document(const DocumentOptions& options) {
  const auto listings = graph::zoo::listings("");
  if (!listings) return listings.error();
  Json networks = Json::array();
  for (const graph::zoo::Listing& each : *listings) networks.push_back(report::zoo_json(each));
  return document_of("ergon.zoo/1", {{"networks", std::move(networks)}}, options);
}

Result<std::string> inspect_document(const Network& network, std::optional<std::int64_t> batch, Mode mode,
                                     const DocumentOptions& options) {
  const graph::Network& loaded = Access::state(network).network;
  const std::int64_t size = batch.value_or(network.default_batch().value_or(1));
  const graph::Mode run_mode = api::mode_of(mode);
  const auto costs = graph::network_costs(loaded, size, run_mode);
  if (!costs) return costs.error();
  const auto operations = graph::unique_operations(loaded, size, run_mode);
  if (!operations) return operations.error();
  return document_of("ergon.inspect/1", report::inspect_json(loaded, *costs, *operations, {size, run_mode}),
                     options, files_of(network));
}

Result<std::string> predict_document(const Predictor& predictor, const Network& network,
                                     const Workload& workload, const ClockAndLimit& setting,
                                     const PredictDocumentOptions& options) {
  const predict::Predictor& device = Access::predictor(predictor);
  const graph::Network& fused = Access::fused(network);
  const device::ClockAndLimit requested{setting.clock, setting.power_limit};
  if (auto fine = device::check(requested, device.gpu()); !fine) return fine.error();
  const auto prepared = device.prepare(fused, api::config_of(workload, fused));
  if (!prepared) return prepared.error();
  if (auto fine = prepared->check(requested); !fine) return fine.error();
  std::vector<predict::PreparedNetwork> alternatives;
  if (options.curves) alternatives = predict::alternatives_of(device, fused, prepared->config());
  auto inputs = files_of(network);
  append(inputs, Access::files(predictor));
  // Predictions at other clocks follow the twin's clock curve.
  return document_of("ergon.predict/2",
                     report::predict_json(fused.name, device, *prepared, requested, alternatives),
                     options.document, std::move(inputs), options.curves || device.simulated(requested));
}

Result<std::string> tune_document(const Network& network, const std::vector<Predictor>& predictors,
                                  const TuneRequest& request, const DocumentOptions& options) {
  const auto tuned = api::tuned(network, predictors, request);
  if (!tuned) return tuned.error();
  auto inputs = files_of(network);
  for (const Predictor& each : predictors) append(inputs, Access::files(each));
  return document_of(
      "ergon.tune/2",
      report::tune_json(Access::fused(network).name, tuned->config, tuned->result, tuned->request), options,
      std::move(inputs), true);
}

Result<std::string> measurement_document(const Measurement& measurement, const DocumentOptions& options) {
  if (!measurement.details) return fail(Errc::invalid_input, "the measurement is not of a window");
  const meter::Measurement& total = measurement.details->measured;
  Json body = {{"simulated", total.simulated},
               {"command", options.command},
               {"exit_code", nullptr},
               {"signal", nullptr}};
  body.update(report::group_json({total, {}}));
  body["processors"] = nullptr;
  body["controls"] = Json::array();
  return document_of("ergon.measure/2", body, options, {}, total.simulated);
}

}  // namespace ergon
