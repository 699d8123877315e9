// Model files. Whatever the text is, it is refused in words or read; a model that was read comes back from
// what is written of it, and can be asked about a network. "@features" stands for the list of this version,
// so that the corpus stays small and outlives the next feature.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"
#include "predict/features.h"
#include "predict/model_file.h"
#include "predict/predictor.h"

namespace {

using namespace ergon;

const device::Specification& some_gpu() {
  static const device::Specification gpu = device::find_device("a30").value();
  return gpu;
}

const predict::Job& some_job() {
  static const predict::Job job = [] {
    const auto network = graph::zoo::build(**graph::zoo::find("alexnet")).value();
    return predict::job_of(network, {8, graph::Mode::inference, device::Precision::tf32}).value();
  }();
  return job;
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

// Clock and regime are sound whatever a model says of time and power.
void ask(predict::Model model) {
  model.device = some_gpu().name;
  const auto predictor = predict::Predictor::with(some_gpu(), std::move(model));
  check(static_cast<bool>(predictor));
  const auto outlook = predictor->prepare(some_job());
  if (!outlook) return;
  check(outlook->known_share() >= 0 && outlook->known_share() <= 1);
  const predict::Forecast forecast = outlook->at({});
  check(forecast.regime == predict::Regime::learned || forecast.regime == predict::Regime::calibrated);
  check(forecast.clock >= some_gpu().core.least && forecast.clock <= some_gpu().core.most);
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
  check(model->time.empty() == (model->regime == predict::Regime::calibrated));
  const std::string once = predict::write_model(*model);
  const auto again = predict::read_model(once, "again");
  check(again && again->time == model->time && again->power == model->power);
  check(predict::write_model(*again) == once);
  ask(*model);
  return 0;
}
