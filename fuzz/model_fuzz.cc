// Model files. Any text is either rejected with a message or read. A model that was read survives a round
// trip and can predict a network. "@features" expands to the features of this version, so that the corpus
// stays small and valid when features change.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "predict/learn/features.h"
#include "predict/model/model_file.h"
#include "predict/predictor.h"

namespace {

using namespace ergon;

const device::Specification& some_gpu() {
  static const device::Specification gpu = device::find_device("a30").value();
  return gpu;
}

const predict::Iteration& some_iteration() {
  static const predict::Iteration iteration = [] {
    const auto network = graph::zoo::build(**graph::zoo::find("alexnet")).value();
    return predict::iteration_of(network, {8, graph::Mode::inference, device::Precision::tf32}).value();
  }();
  return iteration;
}

std::string with_features(std::string_view text) {
  constexpr std::string_view kMark = "\"@features\"";
  std::string expanded(text);
  const auto at = expanded.find(kMark);
  if (at == std::string::npos) return expanded;
  std::string list = "[";
  for (const std::string_view name : predict::feature_names())
    list += (list.size() > 1 ? ",\"" : "\"") + std::string(name) + "\"";
  return expanded.replace(at, kMark.size(), list + "]");
}

void check(bool fine) {
  if (!fine) std::abort();
}

// Clock and source are valid for any time and power in the model.
void check_prediction(predict::Model model) {
  model.device = some_gpu().name;
  const auto predictor = predict::Predictor::with(some_gpu(), std::move(model));
  check(static_cast<bool>(predictor));
  const auto prepared = predictor->prepare(some_iteration());
  if (!prepared) return;
  check(prepared->measured_share() >= 0 && prepared->measured_share() <= 1);
  const predict::Prediction prediction = prepared->predict({});
  check(prediction.source == predict::PredictionSource::learned ||
        prediction.source == predict::PredictionSource::calibrated);
  check(prediction.clock >= some_gpu().core.min && prediction.clock <= some_gpu().core.max);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = with_features({reinterpret_cast<const char*>(data), size});
  const auto model = predict::read_model(text, "fuzz");
  if (!model) {
    check(!model.error().message.empty());
    return 0;
  }
  check(model->time.features() <= predict::feature_count());
  check(model->power.features() <= predict::feature_count());
  check(model->time.empty() == (model->source == predict::PredictionSource::calibrated));
  const std::string once = predict::write_model(*model);
  const auto again = predict::read_model(once, "again");
  check(again && again->time == model->time && again->power == model->power);
  check(predict::write_model(*again) == once);
  check_prediction(*model);
  return 0;
}
