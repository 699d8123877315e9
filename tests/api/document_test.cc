#include <ergon/document.h>
#include <ergon/quantity_text.h>
#include <thread>

#include "support.h"

namespace ergon::test {
namespace {

using Json = nlohmann::json;

// A document of the library, with the provenance of the same command of the program.
Json library_json(const Result<std::string>& text, const Json& of_program) {
  EXPECT_TRUE(text) << text.error().message;
  if (!text) return {};
  Json document = Json::parse(*text);
  EXPECT_EQ(document["provenance"]["command"], Json({"caller"}));
  EXPECT_FALSE(document["provenance"]["created"].get<std::string>().empty());
  for (const char* const name : {"command", "created"})
    document["provenance"][name] = of_program["provenance"][name];
  return document;
}

const DocumentOptions kCaller{{"caller"}};

TEST(ApiDocument, ZooIsThatOfTheProgram) {
  const Json expected = program_json("zoo");
  EXPECT_EQ(library_json(zoo_document(kCaller), expected), expected);
}

TEST(ApiDocument, InspectionIsThatOfTheProgram) {
  const auto network = Network::load("resnet18");
  ASSERT_TRUE(network);
  const Json expected = program_json("inspect resnet18 --batch 4 --mode training");
  EXPECT_EQ(library_json(inspect_document(*network, 4, Mode::training, kCaller), expected), expected);
}

TEST(ApiDocument, PredictionIsThatOfTheProgram) {
  const auto network = Network::load("resnet18");
  const auto predictor = Predictor::of_device("h200");
  ASSERT_TRUE(network && predictor);
  const Workload workload{.batch = 8, .mode = Mode::training, .precision = Precision::bf16, .host = {}};
  const ClockAndLimit setting{Hertz{1.2e9}, Watts{500}};
  const std::string command =
      "predict resnet18 --device h200 --batch 8 --mode training --precision bf16 --clock 1200MHz "
      "--power-limit 500W";
  const Json plain = program_json(command), curves = program_json(command + " --curves");
  EXPECT_EQ(library_json(predict_document(*predictor, *network, workload, setting, {false, kCaller}), plain),
            plain);
  EXPECT_EQ(library_json(predict_document(*predictor, *network, workload, setting, {true, kCaller}), curves),
            curves);
  EXPECT_EQ(predict_document(*predictor, *network, workload, {Hertz{9e9}, {}}).error().kind,
            Errc::invalid_input);
}

TEST(ApiDocument, TuneIsThatOfTheProgram) {
  const auto network = Network::load("resnet18");
  const auto h200 = Predictor::of_device("h200"), a30 = Predictor::of_device("a30");
  ASSERT_TRUE(network && h200 && a30);
  TuneRequest request;
  request.max_latency = Seconds{0.02};
  request.batches = {8, 16};
  const Json expected = program_json("tune resnet18 --device h200,a30 --max-latency 20ms --batch 8,16");
  EXPECT_EQ(library_json(tune_document(*network, {*h200, *a30}, request, kCaller), expected), expected);
  request.max_latency = Seconds{1e-9};
  EXPECT_EQ(tune_document(*network, {*h200}, request).error().kind, Errc::invalid_input);
}

TEST(ApiDocument, MeasurementHasTheFieldsOfTheProgram) {
  const FakeDriver driver(R"("devices": ["h200"])");
  auto meter = Meter::start(*select_devices());
  ASSERT_TRUE(meter);
  Window window = meter->begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto measured = window.measurement();
  ASSERT_TRUE(measured);
  const auto text = measurement_document(*measured, kCaller);
  ASSERT_TRUE(text) << text.error().message;
  const auto ran = run_shell(std::string(ERGON_PROGRAMS) + "/ergon measure --json -- sleep 0.3");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json document = Json::parse(*text), expected = Json::parse(ran.out);
  for (const auto& [name, value] : expected.items()) {
    ASSERT_TRUE(document.contains(name)) << name;
    if (name == "exit_code" || value.is_null()) continue;  // of a command only, or of processors
    EXPECT_STREQ(document[name].type_name(), value.type_name()) << name;
  }
  EXPECT_EQ(document.size(), expected.size());
  EXPECT_EQ(document["sources"][0].size(), expected["sources"][0].size());
  EXPECT_EQ(document["energy_joules"].get<double>(), measured->energy.value.si());
  EXPECT_EQ(document["valid"], measured->valid);
  EXPECT_TRUE(document["provenance"]["simulated"].get<bool>());
  EXPECT_EQ(measurement_document(Measurement{}).error().kind, Errc::invalid_input);
}

TEST(ApiQuantityText, HasTheUnitsOfTheProgram) {
  EXPECT_EQ(parse_hertz("1200MHz", "clock")->si(), 1.2e9);
  EXPECT_EQ(parse_seconds("20ms", "max_latency")->si(), 0.02);
  EXPECT_EQ(parse_watts("0.5kW", "limit")->si(), 500);
  const auto wrong = parse_hertz("250W", "clock");
  EXPECT_EQ(wrong.error().kind, Errc::invalid_input);
  EXPECT_NE(wrong.error().message.find("clock"), std::string::npos);
  EXPECT_FALSE(parse_watts("250", "limit"));
}

}  // namespace
}  // namespace ergon::test
