#include "reproduce/arada_claims.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::app {
namespace {

using namespace allocate;

constexpr const char* kFitted =
    "the paper does not state its bandwidths; this one was fitted to this and other figures of bandwidth "
    "saved";

std::string percent(double value) { return fmt::format("{:.1f} %", value); }

double layer_mean(const Schedule& s) { return 100 * s.by_work.layer_mean; }
double printed_mean(const Schedule& s) { return 100 * s.as_printed.layer_mean; }
double bandwidth(const Schedule& s) { return 100 * s.bandwidth_reduction; }

class Claims {
 public:
  explicit Claims(const AradaStudy& study) : study_(study) {}

  std::vector<Claim> all() {
    table_one();
    savings();
    bandwidths();
    layers();
    layer_counts();
    trends();
    return std::move(claims_);
  }

 private:
  void add_percent(const char* where, const char* claim, double paper, int digits, double ours,
                   std::string reason) {
    claims_.push_back({where, claim, fmt::format("{:.{}f} %", paper, digits), percent(ours),
                       compare_percent(paper, digits, ours), std::move(reason)});
  }

  // Only the part of the list that a claim needs.
  std::size_t at(const char* accelerator, const char* memory) const {
    return study_.configuration(accelerator, memory);
  }
  double mean(const char* accelerator, const char* memory, double (*value)(const Schedule&)) const {
    return study_.survey.mean(at(accelerator, memory), kVfOhQ, value);
  }
  const Schedule& schedule(const char* memory, const char* network) const {
    return study_.survey.at(at("hpc-tpu", memory), study_.network(network), kVfOhQ);
  }

  void table_one() {
    const auto& printed = printed_table_one_clocks();
    std::vector<double> shifted = printed;  // the five 300s from layer 15 on, one place earlier
    std::rotate(shifted.begin() + 13, shifted.begin() + 14, shifted.begin() + 23);
    std::size_t as_printed = 0, as_meant = 0, bandwidths = 0;
    for (std::size_t i = 0; i < study_.table_one.layers.size(); ++i) {
      const Setting& setting = study_.table_one.layers[i].setting;
      as_printed += setting.clock.si() == printed[i] * 1e6 ? 1 : 0;
      as_meant += setting.clock.si() == shifted[i] * 1e6 ? 1 : 0;
      const double gigabytes = study_.table_one_hardware.bandwidth(setting.words).si() / 1e9;
      bandwidths += gigabytes == (i == 25 ? 8 : 20) ? 1 : 0;
    }
    const std::size_t count = printed.size();
    claims_.push_back({"Table 1", "frequencies of MobileNet's layers", fmt::format("{} layers", count),
                       fmt::format("{} equal, {} as printed", as_meant, as_printed),
                       as_meant == count          ? Verdict::exactly
                       : as_meant * 4 > count * 3 ? Verdict::approximately
                                                  : Verdict::no,
                       "the table prints the five 300s from layer 14 on one place late; they belong to the "
                       "depthwise layers "
                       "14, 16, ... 22, the only ones there that wait for memory"});
    claims_.push_back({"Table 1", "bandwidths of MobileNet's layers", fmt::format("{} layers", count),
                       fmt::format("{} equal", bandwidths),
                       bandwidths == count ? Verdict::exactly : Verdict::no,
                       "the allocation; eq. 2 as printed would give the reduction"});
  }

  void savings() {
    const auto ideal = [&](const char* memory) {
      return study_.survey.mean(at("edge-tpu", memory), kIdeal, layer_mean);
    };
    add_percent(
        "Abstract", "energy saved, Edge TPU, LPDDR4, quantised", 38, 0,
        mean("edge-tpu", "lpddr4", layer_mean),
        fmt::format("mean of layers, then of networks, by work; ideal gives {}", percent(ideal("lpddr4"))));
    add_percent(
        "Section 5.1", "energy saved, Edge TPU, DDR5-4800, quantised", 31, 0,
        mean("edge-tpu", "ddr5-4800", layer_mean),
        fmt::format("at the bandwidth that its 6.5 % less bandwidth asks for; only ideal comes near ({})",
                    percent(ideal("ddr5-4800"))));
    add_percent("Section 1", "energy saved, HPC TPU, DDR5-4800", 26, 0,
                mean("hpc-tpu", "ddr5-4800", layer_mean),
                "the paper does not state its bandwidths; this one was fitted to other figures");
    const std::size_t edge = at("edge-tpu", "lpddr4"), hpc = at("hpc-tpu", "ddr5-4800");
    const auto later = [](const Schedule& s) { return 100 * s.lateness(); };
    claims_.push_back(
        {"Abstract", "no performance lost", "0 %",
         fmt::format("{:+.1f} % and {:+.1f} %", study_.survey.mean(edge, kVfOhQ, later),
                     study_.survey.mean(hpc, kVfOhQ, later)),
         Verdict::no,
         fmt::format(
             "re-simulated at the clocks of vf-oh-q, Edge TPU with LPDDR4 and HPC TPU with DDR5-4800 (ideal: "
             "{:+.1f} % and {:+.1f} %): what follows a layer's last wait always runs at the lowered clock, "
             "and "
             "the change back up is not counted",
             study_.survey.mean(edge, kIdeal, later), study_.survey.mean(hpc, kIdeal, later))});
    if (study_.survey.mean(edge, kVfOhQ, later) < 0.05) claims_.back().verdict = Verdict::exactly;
  }

  void bandwidths() {
    add_percent("Section 5.1", "bandwidth saved, Edge TPU, LPDDR4", 0.7, 1,
                mean("edge-tpu", "lpddr4", bandwidth), kFitted);
    add_percent("Section 5.1", "bandwidth saved, Edge TPU, DDR5-4800", 6.5, 1,
                mean("edge-tpu", "ddr5-4800", bandwidth), kFitted);
    add_percent(
        "Section 1", "bandwidth saved, HPC TPU, HBM2", 9, 0, mean("hpc-tpu", "hbm2", bandwidth),
        fmt::format(
            "at the bandwidth that fits EfficientNetB0, MobileNetV2 and layer 13; twice as much gives {}",
            percent(study_.doubled.mean(0, 1, bandwidth))));
    add_percent("Figure 7", "bandwidth saved, EfficientNetB0, HBM2", 27, 0,
                bandwidth(schedule("hbm2", "arada/EfficientNetB0")), kFitted);
    add_percent("Figure 7", "bandwidth saved, MobileNetV2, HBM2", 9.2, 1,
                bandwidth(schedule("hbm2", "arada/MobileNetV2")), kFitted);
    add_percent("Figure 7", "bandwidth saved, EfficientNetB0, DDR4-4400", 7, 0,
                bandwidth(schedule("ddr4-4400", "arada/EfficientNetB0")), kFitted);
    add_percent("Figure 7", "bandwidth saved, MobileNetV2, DDR4-4400", 0, 0,
                bandwidth(schedule("ddr4-4400", "arada/MobileNetV2")), kFitted);
  }

  // Figure 8 counts MobileNet's layers from 0, Table 1 from 1.
  void layers() {
    const std::size_t mobilenet = study_.network("scalesim/MobileNet");
    const Hardware& slow = study_.survey.configurations[at("hpc-tpu", "ddr5-4800")].hardware;
    const Hardware& fast = study_.survey.configurations[at("hpc-tpu", "hbm2")].hardware;
    const Schedule& with_ddr5 = schedule("ddr5-4800", "scalesim/MobileNet");
    const Schedule& with_hbm2 = schedule("hbm2", "scalesim/MobileNet");
    const auto slower = [&](const Schedule& s, std::size_t layer) {
      return 100 * (1 - (s.layers[layer].setting.clock / slow.clock).si());
    };
    const auto narrower = [&](const Schedule& s, const Hardware& hardware, std::size_t layer) {
      return 100 * (1 - s.layers[layer].setting.words / hardware.words_per_cycle);
    };
    add_percent("Figure 8", "TOPS less in layer 5, DDR5-4800", 90, 0, slower(with_ddr5, 5), "");
    add_percent("Figure 8", "TOPS less in layer 5, HBM2", 60, 0, slower(with_hbm2, 5),
                fmt::format("at twice the bandwidth that fits the other figures ideal gives {}",
                            percent(slower(study_.doubled.at(0, mobilenet, 0), 5))));
    add_percent("Figure 8", "bandwidth less in layer 13, DDR5-4800", 0, 0, narrower(with_ddr5, slow, 13), "");
    add_percent("Figure 8", "bandwidth less in layer 13, HBM2", 25, 0, narrower(with_hbm2, fast, 13),
                kFitted);
    std::size_t neither = 0, shifted = 0;
    for (std::size_t i = 10; i <= 24; ++i) {
      neither += slower(with_ddr5, i) == 0 && narrower(with_ddr5, slow, i) == 0 ? 1 : 0;
    }
    for (const std::size_t i : {13, 15, 17})
      shifted += with_hbm2.layers[i].demand.bound == Bound::compute ? 1 : 0;
    claims_.push_back({"Figure 8", "layers 10 to 24 can spare nothing with DDR5-4800", "15 layers",
                       fmt::format("{} layers", neither), neither == 15 ? Verdict::exactly : Verdict::no,
                       ""});
    claims_.push_back({"Figure 8", "layers 13, 15 and 17 are compute bound with HBM2", "3 layers",
                       fmt::format("{} layers", shifted), shifted == 3 ? Verdict::exactly : Verdict::no, ""});
  }

  void layer_counts() {
    const std::vector<std::pair<const char*, std::size_t>> printed = {
        {"scalesim/MobileNet", 28},         {"arada/MobileNetV2", 54},   {"arada/EfficientNetB0", 82},
        {"scalesim/Resnet18", 21},          {"scalesim/Googlenet", 54},  {"arada/YOLOv4-tiny", 28},
        {"scalesim/FaceRecognitionID", 54}, {"scalesim/FasterRCNN", 82}, {"scalesim/SpeakerID", 21}};
    std::size_t equal = 0;
    for (const auto& [name, count] : printed) {
      equal += study_.survey.at(0, study_.network(name), kIdeal).layers.size() == count ? 1 : 0;
    }
    claims_.push_back(
        {"Table 4", "layers of each network", "9 networks", fmt::format("{} equal", equal),
         equal == printed.size() ? Verdict::exactly : Verdict::no,
         "MobileNet has 27 in the paper's own Table 1, SCALE-Sim's GoogLeNet 58, and the second row repeats "
         "the numbers of the first"});
  }

  void trends() {
    const auto& configurations = study_.survey.configurations;
    bool falls = true, rises = true;
    for (std::size_t i = 1; i < configurations.size(); ++i) {
      if (configurations[i].accelerator != configurations[i - 1].accelerator) continue;
      falls = falls &&
              study_.survey.mean(i, kVfOhQ, printed_mean) <= study_.survey.mean(i - 1, kVfOhQ, printed_mean);
      rises =
          rises && study_.survey.mean(i, kVfOhQ, bandwidth) >= study_.survey.mean(i - 1, kVfOhQ, bandwidth);
    }
    claims_.push_back({"Figure 5", "more bandwidth, less energy to save and more bandwidth to save",
                       "all memories", falls && rises ? "all memories" : "not all memories",
                       falls && rises ? Verdict::exactly : Verdict::no, ""});
    bool less = true;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
      less = less && study_.survey.mean(i, kGreedyPromised30, layer_mean) <
                         study_.survey.mean(i, kGreedyPromised, layer_mean);
    }
    claims_.push_back({"Section 4.3", "a longer change of clock leaves less to save", "",
                       less ? "10 to 30 us: less everywhere" : "not everywhere",
                       less ? Verdict::exactly : Verdict::no, ""});
    std::string counts;
    bool shift = true;
    for (std::size_t i = 0; i < study_.roofs.size(); ++i) {
      counts += fmt::format("{}{}", i == 0 ? "" : ", ", study_.roofs[i].compute_bound);
      shift = shift && (i == 0 || study_.roofs[i].compute_bound <= study_.roofs[i - 1].compute_bound);
    }
    shift = shift && study_.roofs.back().compute_bound < study_.roofs.front().compute_bound;
    claims_.push_back({"Figure 3", "fewer compute bound layers, 0.4 to 4 TOPS, 122 to 29 GB/s",
                       "fewer each time", counts + " of 82", shift ? Verdict::exactly : Verdict::no, ""});
  }

  const AradaStudy& study_;
  std::vector<Claim> claims_;
};

}  // namespace

const std::vector<double>& printed_table_one_clocks() {
  static const std::vector<double> kPrinted = {500, 300, 500, 250, 500, 200, 500, 350, 500,
                                               300, 500, 500, 500, 500, 300, 500, 300, 500,
                                               300, 500, 300, 500, 300, 500, 500, 500, 500};
  return kPrinted;
}

std::vector<Claim> arada_claims(const AradaStudy& study) { return Claims(study).all(); }

}  // namespace ergon::app
