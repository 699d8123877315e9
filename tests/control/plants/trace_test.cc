#include "control/plants/trace.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::control {
namespace {

using namespace ergon::literals;

const std::string kCells =
    "approach,dnn,dataset,core_clock_MHz,batch_size,n,throughput_img_per_s,max_power_W\n";
const std::string kNetworks =
    "model,size,batch,mode,dtype,iters,seconds,ms_per_iter,samples_per_s,p_mean_instant_w,p_max_instant_w\n";

class TraceFile : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    std::ofstream(folder_ / "table.csv") << text;
    return (folder_ / "table.csv").string();
  }
  Error error_of(const std::string& text, const std::string& network) {
    const auto trace = read_trace(file(text), network);
    EXPECT_FALSE(trace) << text;
    return trace ? Error{} : trace.error();
  }

 private:
  ergon::test::TemporaryFolder folder_;
};

void expect_mentions(const Error& error, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    EXPECT_NE(error.message.find(word), std::string::npos) << word << " in: " << error.message;
}

TEST_F(TraceFile, NetworksAreInFileOrder) {
  const auto cells =
      trace_networks(file(kCells + "A,zeta,x,544,1,1,1,1\nA,alpha,x,544,1,1,1,1\nB,zeta,x,544,2,1,1,1\n"));
  EXPECT_EQ(cells.value(), (std::vector<std::string>{"zeta/x", "alpha/x"}));
  const auto networks =
      trace_networks(file(kNetworks + "b,2,1,infer,f,9,1,1,1,1,1\na,2,1,infer,f,9,1,1,1,1,1\n"));
  EXPECT_EQ(networks.value(), (std::vector<std::string>{"b", "a"}));
}

TEST_F(TraceFile, CellsAreReadAndSorted) {
  const std::string rows =
      "A,n,x,auto,8,3,80,150\nB,n,x,544,64,20,32,90.5\nA,n,x,544,8,7,16,60\nA,n,x,544,1,2,10,50\n";
  const BatchTrace trace = read_trace(file(kCells + rows), "n/x").value();
  ASSERT_EQ(trace.cells.size(), 4U);
  EXPECT_EQ(trace.cells[0].point, (Point{1, 544_MHz}));
  EXPECT_EQ(trace.cells[2].point, (Point{8, 1531_MHz}));  // "auto"
  EXPECT_EQ(trace.cells[2].time, 100_ms);
  EXPECT_EQ(trace.cells[2].power, 150_W);
  EXPECT_EQ(trace.cells[3].time, 2_s);
  EXPECT_EQ(trace.cells[3].power, 90.5_W);
  EXPECT_EQ(trace.cells[3].weight, 20);
  EXPECT_EQ(trace.knobs().batches, (std::vector<std::int64_t>{1, 8, 64}));
  EXPECT_EQ(trace.knobs().clocks, (std::vector{544_MHz, 1531_MHz}));
}

TEST_F(TraceFile, RowsOfTheSamePointAreAveragedByTheirCounts) {
  const std::string rows = "A,n,x,1531,10,1,10,100\nB,n,x,auto,10,3,5,200\nC,n,x,auto,10,4,20,100\n";
  const std::string others = "A,n,x,auto,1,1,1,1\nA,n,x,auto,2,1,1,1\n";
  const BatchTrace trace = read_trace(file(kCells + rows + others), "n/x").value();
  ASSERT_EQ(trace.cells.size(), 3U);
  EXPECT_EQ(trace.cells[2].weight, 8);
  EXPECT_NEAR(trace.cells[2].time.si(), (1 * 1 + 3 * 2 + 4 * 0.5) / 8, 1e-12);
  EXPECT_NEAR(trace.cells[2].power.si(), (1 * 100 + 3 * 200 + 4 * 100) / 8.0, 1e-12);
}

TEST_F(TraceFile, NetworkTablesUseMeanPowerAndNoClock) {
  const std::string few = "a,224,1,infer,f,9,1,4,250,120,180\na,224,4,infer,f,9,1,5,800,160,190\n";
  const BatchTrace trace =
      read_trace(file(kNetworks + few + "a,224,16,infer,f,9,1,8,2000,300,390\n"), "a").value();
  EXPECT_TRUE(trace.knobs().clocks.empty());
  EXPECT_EQ(trace.cells[2].point, (Point{16, std::nullopt}));
  EXPECT_EQ(trace.cells[2].time, 8_ms);
  EXPECT_EQ(trace.cells[2].power, 300_W);
}

TEST_F(TraceFile, ErrorsNameWhatIsMissing) {
  expect_mentions(trace_networks("/nowhere/table.csv").error(), {"/nowhere/table.csv"});
  const Error neither = error_of("model,batch,watts\na,1,2\n", "a");
  EXPECT_EQ(neither.kind, Errc::invalid_input);
  expect_mentions(neither, {"table.csv", "\"dnn\"", "\"size\""});
  const Error unknown = error_of(kCells + "A,ResNet,Caltech,544,1,1,1,1\n", "ResNet/Caltek");
  EXPECT_EQ(unknown.kind, Errc::unknown_name);
  expect_mentions(unknown, {"table.csv", "\"ResNet/Caltek\"", "did you mean \"ResNet/Caltech\""});
}

TEST_F(TraceFile, EveryNumberMustBePositive) {
  const std::vector<std::string> columns{"core_clock_MHz", "batch_size", "n", "throughput_img_per_s",
                                         "max_power_W"};
  for (std::size_t bad = 0; bad < columns.size(); ++bad) {
    for (const std::string value : {"0", "-3", "many", "", "nan", "1e400"}) {
      std::string text = kCells + "A,net,x,544,1,1,1,1\nA,other,x,oops,oops,oops,oops,oops\nA,net,x";
      for (std::size_t i = 0; i < columns.size(); ++i) text.append(",").append(i == bad ? value : "7");
      const Error error = error_of(text, "net/x");
      EXPECT_EQ(error.kind, Errc::invalid_input);
      expect_mentions(error, {"table.csv", "row 3", columns[bad]});
    }
  }
  expect_mentions(error_of(kCells + "A,net,x,544,1.5,1,1,1\n", "net/x"), {"row 1", "batch_size", "1.5"});
}

TEST_F(TraceFile, NeedsThreeBatchesOfOneKind) {
  const std::string few = "A,n,x,544,1,1,1,1\nA,n,x,949,1,1,1,1\nA,n,x,544,2,1,1,1\n";
  expect_mentions(error_of(kCells + few, "n/x"), {"table.csv", "n/x", "2 batch sizes", "at least 3"});
  const std::string two = "a,2,1,infer,f,9,1,1,1,1,1\na,2,2,infer,f,9,1,1,1,1,1\na,2,4,train,f,9,1,1,1,1,1\n";
  expect_mentions(error_of(kNetworks + two, "a"), {"table.csv", "2/infer/f", "2/train/f"});
}

BatchTrace line() {
  return {"line", "", {{{1, {}}, 1_s, 100_W}, {{4, {}}, 4_s, 400_W}, {{16, {}}, 8_s, 400_W}}};
}

TEST(TraceSurface, InterpolatesInLogarithmsBetweenCells) {
  const TraceSurface surface(line());
  EXPECT_EQ(surface.at({4, {}}).time, 4_s);
  EXPECT_NEAR(surface.at({3, {}}).time.si(), 3, 1e-12);
  EXPECT_NEAR(surface.at({3, {}}).power.si(), 300, 1e-10);
  EXPECT_NEAR(surface.at({8, {}}).time.si(), 4 * std::sqrt(2), 1e-12);
  EXPECT_NEAR(surface.at({8, {}}).power.si(), 400, 1e-10);
}

// A surface that the trend can represent exactly; the floor is half of the lowest power.
TraceCell law(std::int64_t batch, Hertz clock) {
  const double b = static_cast<double>(batch), f = (clock / 544_MHz).si();
  return {{batch, clock},
          Seconds{0.01 * std::pow(b, 0.8) * std::pow(f, -0.5)},
          20_W * (1 + std::pow(b, 0.2) * f * f),
          100};
}

TEST(TraceSurface, RecoversTheSurfaceFromScatteredCells) {
  BatchTrace trace{"law", "", {}};
  const std::vector<Hertz> clocks{544_MHz, 1531_MHz, 949_MHz};
  for (const std::int64_t batch : {1, 2, 5, 8, 16, 30, 64, 100, 128, 200, 256}) {
    const Hertz clock = clocks[trace.cells.size() % clocks.size()];
    trace.cells.push_back(law(batch, clock));
  }
  const TraceSurface surface(trace);
  for (std::int64_t batch = 1; batch <= 256; ++batch) {
    for (const Hertz clock : {544_MHz, 700_MHz, 949_MHz, 1200_MHz, 1531_MHz}) {
      const auto expected = law(batch, clock);
      const auto got = surface.at({batch, clock});
      EXPECT_NEAR((got.time / expected.time).si(), 1, 0.03) << batch << " at " << clock.si();
      EXPECT_NEAR((got.power / expected.power).si(), 1, 0.03) << batch << " at " << clock.si();
    }
  }
}

TEST(TraceSurface, NoiseDoesNotBreakMonotonicityInTheClock) {
  BatchTrace trace{"noise", "", {}};
  for (const std::int64_t batch : {1, 4, 16}) {
    trace.cells.push_back({{batch, 1_GHz}, 1_s * static_cast<double>(batch), 200_W, 50});
    trace.cells.push_back({{batch, 1.2_GHz}, 2_s * static_cast<double>(batch), 100_W, 50});
  }
  const TraceSurface surface(trace);
  const auto far = surface.at({4, 20_GHz});
  EXPECT_GE(far.power, 100_W);
  EXPECT_LE(far.time, 8_s);
}

TEST(TraceSurface, NoiseDoesNotBreakMonotonicityInTheBatch) {
  BatchTrace trace{"noise", "", {{{256, 1_GHz}, 8_s, 800_W, 50}}};
  for (const double batch : {1., 2., 4., 8.})
    trace.cells.push_back({{static_cast<std::int64_t>(batch), 1_GHz}, 8_s / batch, 800_W / batch, 50});
  const TraceSurface surface(trace);
  // A parabola that falls first would be below the line from 8 to 256.
  for (std::int64_t batch = 64; batch < 256; ++batch) {
    const double line = std::pow(static_cast<double>(batch) / 8, std::log(8) / std::log(32));
    EXPECT_GE(surface.at({batch, 1_GHz}).time, 1_s * line) << batch;
    EXPECT_GE(surface.at({batch, 1_GHz}).power, 100_W * line) << batch;
  }
}

TEST(TraceSurface, OneClockGivesNoTrendInTheClock) {
  BatchTrace trace = line();
  for (TraceCell& cell : trace.cells) cell.point.clock = 1531_MHz;
  const TraceSurface surface(trace);
  EXPECT_EQ(surface.at({4, 1531_MHz}).power, 400_W);
  EXPECT_NEAR(surface.at({4, 900_MHz}).power.si(), 400, 1e-9);
  EXPECT_NEAR(surface.at({4, 900_MHz}).time.si(), 4, 1e-9);
}

TEST(TraceSurface, ChecksItsContract) {
  const TraceSurface surface(line());
  EXPECT_DEATH((void)surface.at({32, {}}), "broken contract");
  EXPECT_DEATH((void)surface.at({4, 1_GHz}), "broken contract");
  EXPECT_DEATH(TraceSurface(BatchTrace{}), "broken contract");
}

void expect_sane(const BatchTrace& trace) {
  const TraceSurface surface(trace);
  const Knobs knobs = trace.knobs();
  double best = 0;
  Watts lowest = trace.cells[0].power, highest = lowest;
  for (const TraceCell& cell : trace.cells) {
    EXPECT_EQ(surface.at(cell.point).time, cell.time);
    EXPECT_EQ(surface.at(cell.point).power, cell.power);
    best = std::max(best, static_cast<double>(cell.point.batch) / cell.time.si());
    lowest = std::min(lowest, cell.power);
    highest = std::max(highest, cell.power);
  }
  std::vector<std::optional<Hertz>> clocks(knobs.clocks.begin(), knobs.clocks.end());
  for (std::size_t i = 1; i < knobs.clocks.size(); ++i)
    clocks.emplace_back((knobs.clocks[i] + knobs.clocks[i - 1]) / 2);
  if (clocks.empty()) clocks.emplace_back();
  for (std::int64_t batch = knobs.batches.front(); batch <= knobs.batches.back(); ++batch) {
    for (const auto& clock : clocks) {
      const Expectation there = surface.at({batch, clock});
      const double throughput = static_cast<double>(batch) / there.time.si();
      ASSERT_TRUE(throughput > 0 && throughput < 2 * best) << trace.network << ' ' << batch;
      ASSERT_TRUE(there.power > lowest / 2 && there.power < 2 * highest) << trace.network << ' ' << batch;
    }
  }
}

// Networks with too few rows for a trace.
std::vector<std::string> expect_all_sane(const std::string& path) {
  std::vector<std::string> thin;
  const auto networks = trace_networks(path);
  EXPECT_TRUE(networks) << path;
  for (const std::string& network : *networks) {
    const auto trace = read_trace(path, network);
    trace ? expect_sane(*trace) : thin.push_back(network);
  }
  return thin;
}

TEST(TraceTables, MeasuredNetworksArePlausible) {
  for (const std::string name : {"networks_infer", "networks_infer_bf16"})
    EXPECT_TRUE(expect_all_sane(ERGON_REPOSITORY "/data/reference/h200/" + name + ".csv").empty());
}

TEST(TraceTables, PublishedCellsArePlausible) {
  const std::string path = ERGON_REPOSITORY "/../shared/data/gpu/p40_batch_clock_cells.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
  EXPECT_EQ(expect_all_sane(path), std::vector<std::string>{"PNASNet_5_Large_331/Caltech256"});
}

}  // namespace
}  // namespace ergon::control
