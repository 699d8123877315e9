// Reads the measured tables, each in the format of its source, into rows that can be compared with a twin.

#include "calibrate/measured.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "calibrate/board_power.h"
#include "calibrate/table_words.h"
#include "graph/zoo/zoo.h"
#include "table/csv/read.h"

namespace ergon::calibrate {
namespace {

using device::Precision;
using graph::Mode;

// Cells of a table by column name and row; missing cells are empty.
class Cells {
 public:
  explicit Cells(table::Table table) : table_(std::move(table)) {}

  std::size_t rows() const { return table_.rows(); }
  Result<> require(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto column = table_.column(name);
      if (!column) return column.error();
    }
    return {};
  }
  std::string text(std::string_view name, std::size_t row) const {
    const auto column = table_.column(name);
    return column ? (*column)->cell(row) : std::string();
  }
  // A positive number of plausible size.
  std::optional<double> number(std::string_view name, std::size_t row) const {
    constexpr double kMaxValue = 1e12;
    const auto column = table_.column(name);
    if (!column || !(*column)->numeric() || (*column)->missing(row)) return std::nullopt;
    const double value = (*column)->number_at(row);
    return value > 0 && value < kMaxValue ? std::optional(value) : std::nullopt;
  }
  // A positive power. Errors: one that the device cannot draw.
  Result<std::optional<Watts>> power(const std::string& device, std::string_view name,
                                     std::size_t row) const {
    const auto watts = number(name, row);
    if (!watts) return std::optional<Watts>();
    if (auto fine = board_.check(device, Watts{*watts}, name, row); !fine) return fine.error();
    return std::optional(Watts{*watts});
  }

 private:
  table::Table table_;
  mutable BoardPower board_;
};

struct WorkloadKey {
  std::string network;
  std::optional<std::int64_t> size, sequence;
  std::int64_t batch = 1;
  Mode mode = Mode::inference;
  Precision precision = Precision::tf32;

  friend auto operator<=>(const WorkloadKey&, const WorkloadKey&) = default;
};

class Collector {
 public:
  explicit Collector(MeasuredTables& measured) : measured_(measured) {}

  // Creates the workload once for all rows that share it. A network that cannot be built is recorded as
  // skipped.
  void add(NetworkRow row, const WorkloadKey& key) {
    auto found = workloads_.find(key);
    if (found == workloads_.end()) {
      auto made = make(key);
      if (!made) {
        note(row.table, row.network, made.error().message);
        found = workloads_.emplace(key, nullptr).first;
      } else {
        found = workloads_.emplace(key, std::make_shared<const device::Workload>(std::move(*made))).first;
      }
    }
    if (!found->second) return;
    row.workload = found->second;
    measured_.networks.push_back(std::move(row));
  }

  void add(Application application) {
    std::sort(application.points.begin(), application.points.end(),
              [](const auto& a, const auto& b) { return a.clock < b.clock; });
    measured_.applications.push_back(std::move(application));
  }

  void add_part(const std::string& network, std::int64_t batch, Precision precision, const std::string& part,
                Seconds time) {
    for (NetworkRow& row : measured_.networks) {
      const device::Workload& work = *row.workload;
      if (row.gpu && row.network == network && work.batch == batch && work.precision == precision &&
          work.mode == Mode::inference) {
        row.parts[part] = time;
      }
    }
  }

  void note(const std::string& table, const std::string& network, std::string_view why) {
    const auto text = fmt::format("{}: {}: {}", table, network, why);
    if (noted_.insert(table + network).second) measured_.skipped.push_back(text);
  }

 private:
  static Result<device::Workload> make(const WorkloadKey& key) {
    const auto entry = graph::zoo::find(key.network);
    if (!entry) return entry.error();
    const auto network = graph::zoo::build(**entry, {key.size, key.sequence});
    if (!network) return network.error();
    return device::workload_of(*network, key.batch, key.mode, key.precision);
  }

  MeasuredTables& measured_;
  std::map<WorkloadKey, std::shared_ptr<const device::Workload>> workloads_;
  std::set<std::string> noted_;
};

// h200/networks_*.csv
Result<> read_networks(const Cells& cells, const std::string& table, Collector& to) {
  if (const auto fine =
          cells.require({"model", "size", "batch", "mode", "dtype", "ms_per_iter", "p_mean_instant_w"});
      !fine) {
    return fine.error();
  }
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const auto batch = cells.number("batch", i), time = cells.number("ms_per_iter", i);
    const auto size = cells.number("size", i);
    const auto power = cells.power("h200", "p_mean_instant_w", i);
    if (!power) return power.error();
    const auto precision = precision_of_word(cells.text("dtype", i));
    const auto mode = mode_of_word(cells.text("mode", i));
    if (!precision || !mode) {
      to.note(table, cells.text("model", i), (precision ? mode.error() : precision.error()).message);
      continue;
    }
    if (!batch || !time || !*power || !size) continue;
    NetworkRow row{.device = "h200",
                   .table = table,
                   .network = cells.text("model", i),
                   .time = Seconds{*time * kMilli},
                   .power = *power};
    if (const auto clock = cells.number("sm_mhz_mean", i)) row.observed = Hertz{*clock * kMega};
    if (const auto gpu = cells.number("gpu_ms_per_iter", i))
      row.gpu = std::min(Seconds{*gpu * kMilli}, *row.time);  // the profiler adds a small overhead
    WorkloadKey key{.network = row.network,
                    .batch = static_cast<std::int64_t>(*batch),
                    .mode = *mode,
                    .precision = *precision};
    const bool language = row.network == "bert_base" || row.network == "gpt2";
    (language ? key.sequence : key.size) = static_cast<std::int64_t>(*size);
    to.add(std::move(row), key);
  }
  return {};
}

// h200/operators.csv: kernel times by class of operator, for rows of networks_more.csv.
Result<> read_operators(const Cells& cells, const std::string&, Collector& to) {
  if (const auto fine = cells.require({"model", "batch", "mode", "dtype", "class", "gpu_ms_per_iter"}); !fine)
    return fine.error();
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const auto batch = cells.number("batch", i), time = cells.number("gpu_ms_per_iter", i);
    const auto precision = precision_of_word(cells.text("dtype", i));
    const auto mode = mode_of_word(cells.text("mode", i));
    if (!batch || !time || !precision || !mode || *mode != Mode::inference) continue;
    to.add_part(cells.text("model", i), static_cast<std::int64_t>(*batch), *precision, cells.text("class", i),
                Seconds{*time * kMilli});
  }
  return {};
}

// "(32, 3, 224, 224)"
std::optional<std::array<std::int64_t, 2>> batch_and_size(std::string_view text) {
  std::string inner;
  for (const char c : text) {
    if (c != '(' && c != ')' && c != ' ' && c != '"') inner += c;
  }
  const auto parts = split(inner, ',');
  if (parts.size() != 4) return std::nullopt;
  const auto batch = parse_int64(parts[0]), size = parse_int64(parts[3]);
  if (!batch || !size) return std::nullopt;
  return std::array{*batch, *size};
}

// gpu/a30_2080ti_networks.csv
Result<> read_thesis_networks(const Cells& cells, const std::string& table, Collector& to) {
  if (const auto fine = cells.require({"gpu", "mode", "model", "input_size", "time_per_iter_s", "power_W"});
      !fine)
    return fine.error();
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const std::string gpu = cells.text("gpu", i);
    const auto shape = batch_and_size(cells.text("input_size", i));
    const auto time = cells.number("time_per_iter_s", i);
    const std::string device = gpu.starts_with("A30") ? "a30" : "rtx2080ti";
    const auto power = cells.power(device, "power_W", i);
    if (!power) return power.error();
    if (!shape || !time || !*power) continue;
    NetworkRow row{.device = device,
                   .table = table,
                   .network = cells.text("model", i),
                   .time = Seconds{*time},
                   .power = *power};
    // These rows were measured in an unknown, lower power state than all others.
    if (gpu == "RTX2080TI" && cells.text("mode", i) == "full_inference") row.power.reset();
    const bool training = cells.text("mode", i).starts_with("full_train");
    const WorkloadKey key{.network = row.network,
                          .size = (*shape)[1],
                          .batch = (*shape)[0],
                          .mode = training ? Mode::training : Mode::inference,
                          .precision = gpu == "A30_fp32" ? Precision::fp32 : Precision::tf32};
    to.add(std::move(row), key);
  }
  return {};
}

// gpu/p40_batch_clock_cells.csv: throughput is limited by image decoding on the host, so only power is used.
Result<> read_cells(const Cells& cells, const std::string& table, Collector& to) {
  static const std::map<std::string, std::string> kNames{
      {"InceptionV1", "slim/inception_v1"},   {"InceptionV3", "slim/inception_v3"},
      {"MobilenetV2_1", "slim/mobilenet_v2"}, {"MobileV1_1", "slim/mobilenet_v1"},
      {"ResNetV2_152", "slim/resnet_v2_152"}, {"NASNet_A_Large_331", "keras/nasnetlarge"},
  };
  if (const auto fine = cells.require({"dnn", "core_clock_MHz", "batch_size", "max_power_W"}); !fine)
    return fine.error();
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const std::string network = cells.text("dnn", i);
    const auto known = kNames.find(network);
    if (known == kNames.end()) {
      to.note(table, network, "not in the zoo");
      continue;
    }
    const auto batch = cells.number("batch_size", i);
    const auto power = cells.power("p40", "max_power_W", i);
    if (!power) return power.error();
    if (!batch || !*power) continue;
    NetworkRow row{.device = "p40", .table = table, .network = network, .power = *power, .maximum = true};
    if (const auto clock = parse_double(cells.text("core_clock_MHz", i))) row.clock = Hertz{*clock * kMega};
    to.add(std::move(row), {.network = known->second,
                            .batch = static_cast<std::int64_t>(*batch),
                            .mode = Mode::inference,
                            .precision = Precision::fp32});
  }
  return {};
}

// gpu/training_batch_power_limit_*.csv: seconds per epoch of the ImageNet training set.
Result<> read_training(const Cells& cells, const std::string& table, const std::string& device,
                       Collector& to) {
  constexpr double kImages = 1'281'167;
  if (const auto fine = cells.require(
          {"dataset", "network", "batch_size", "power_limit", "time_per_epoch", "average_power"});
      !fine) {
    return fine.error();
  }
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const std::string network = cells.text("network", i);
    if (network != "resnet50") {
      to.note(table, network, "unknown input size");
      continue;
    }
    const auto batch = cells.number("batch_size", i), limit = cells.number("power_limit", i);
    const auto epoch = cells.number("time_per_epoch", i);
    const auto power = cells.power(device, "average_power", i);
    if (!power) return power.error();
    if (!batch || !limit || !epoch || !*power) continue;
    const auto name = fmt::format("{} batch {}", network, static_cast<std::int64_t>(*batch));
    NetworkRow row{.device = device,
                   .table = table,
                   .network = name,
                   .limit = Watts{*limit},
                   .time = Seconds{*epoch * *batch / kImages},
                   .power = *power};
    to.add(std::move(row), {.network = network,
                            .batch = static_cast<std::int64_t>(*batch),
                            .mode = Mode::training,
                            .precision = Precision::tf32});
  }
  return {};
}

struct SweepColumns {
  std::string_view device, clock, time, power, busy, memory;
  std::vector<std::string_view> name;
};

Result<> read_sweep(const Cells& cells, const std::string& table, const SweepColumns& columns,
                    Collector& to) {
  if (const auto fine =
          cells.require({columns.clock, columns.power, columns.busy, columns.memory, columns.time});
      !fine)
    return fine.error();
  std::map<std::string, Application> applications;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    std::string name;
    for (const std::string_view part : columns.name) name += (name.empty() ? "" : " ") + cells.text(part, i);
    const auto clock = cells.number(columns.clock, i), time = cells.number(columns.time, i);
    const auto power = cells.power(std::string(columns.device), columns.power, i);
    if (!power) return power.error();
    if (!clock || !time || !*power) continue;
    auto [found, fresh] =
        applications.try_emplace(name, Application{std::string(columns.device), table, name, {}});
    if (fresh) order.push_back(name);
    found->second.points.push_back({Hertz{*clock * kMega}, Seconds{*time}, **power,
                                    cells.number(columns.busy, i).value_or(1),
                                    cells.number(columns.memory, i).value_or(0)});
  }
  for (const std::string& name : order) to.add(std::move(applications[name]));
  return {};
}

// gpu/h200_h100_a40_clock_sweep.csv: one application. Its run times were inferred, so only power is used.
// Rows whose clock was not reached are skipped.
Result<> read_dynamics(const Cells& cells, const std::string& table, Collector& to) {
  if (const auto fine = cells.require({"gpu", "core_clock_MHz", "steady_power_W", "note"}); !fine)
    return fine.error();
  std::map<std::string, Application> applications;
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const std::string gpu = lower(cells.text("gpu", i));
    const std::string device = gpu.substr(0, gpu.find('-'));
    const std::string remark = cells.text("note", i);
    const auto clock = cells.number("core_clock_MHz", i);
    const auto power = cells.power(device, "steady_power_W", i);
    if (!power) return power.error();
    if (!clock || !*power) continue;
    if (remark.find("limit") != std::string::npos || remark.find("not reached") != std::string::npos)
      continue;
    auto& application =
        applications.try_emplace(device, Application{device, table, "molecular dynamics", {}}).first->second;
    application.points.push_back({Hertz{*clock * kMega}, std::nullopt, **power});
  }
  for (auto& entry : applications) to.add(std::move(entry.second));
  return {};
}

struct KnownTable {
  std::string_view folder, name;
  std::function<Result<>(const Cells&, const std::string&, Collector&)> read;
};

const std::vector<KnownTable>& known_tables() {
  static const std::vector<KnownTable> all{
      {"h200", "networks_infer", read_networks},
      {"h200", "networks_infer_bf16", read_networks},
      {"h200", "networks_train", read_networks},
      {"h200", "networks_more", read_networks},
      {"h200", "operators", read_operators},
      {"gpu", "a30_2080ti_networks", read_thesis_networks},
      {"gpu", "p40_batch_clock_cells", read_cells},
      {"gpu", "training_batch_power_limit_v100",
       [](const Cells& cells, const std::string& table, Collector& to) {
         return read_training(cells, table, "v100", to);
       }},
      {"gpu", "training_batch_power_limit_p100",
       [](const Cells& cells, const std::string& table, Collector& to) {
         return read_training(cells, table, "p100", to);
       }},
      {"gpu", "a100_sxm_clock_sweep",
       [](const Cells& cells, const std::string& table, Collector& to) {
         return read_sweep(cells, table,
                           {"a100-sxm-80",
                            "sm_app_clock",
                            "run_time",
                            "power_usage",
                            "sm_active",
                            "dram_active",
                            {"application"}},
                           to);
       }},
      {"gpu", "v100_clock_sweep",
       [](const Cells& cells, const std::string& table, Collector& to) {
         return read_sweep(cells, table,
                           {"v100",
                            "core_frequency",
                            "time",
                            "average_power",
                            "SMACT",
                            "DRAMA",
                            {"benchmark", "kernel", "argNo"}},
                           to);
       }},
      {"gpu", "h200_h100_a40_clock_sweep", read_dynamics},
  };
  return all;
}

}  // namespace

std::string_view class_of(std::string_view kind) {
  static const std::map<std::string_view, std::string_view> kClasses{
      {"conv", "convolution"},
      {"depthwise_conv", "convolution"},
      {"transposed_conv", "convolution"},
      {"dense", "product"},
      {"matmul", "product"},
      {"einsum", "product"},
      {"batch_norm", "norm"},
      {"max_pool", "pool"},
      {"average_pool", "pool"},
      {"adaptive_pool", "pool"},
      {"adaptive_average_pool", "pool"},
      {"reduce_mean", "pool"},
      {"mean", "pool"},
      {"global_average_pool", "pool"},
      {"layer_norm", "rows"},
      {"softmax", "rows"},
  };
  const auto found = kClasses.find(kind);
  return found == kClasses.end() ? "elementwise" : found->second;
}

Result<MeasuredTables> read_measured(const std::vector<std::filesystem::path>& folders) {
  MeasuredTables measured;
  Collector to(measured);
  for (const KnownTable& known : known_tables()) {
    const std::string file = std::string(known.name) + ".csv";
    for (const auto& folder : folders) {
      auto path = folder / known.folder / file;
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) path = folder / file;
      if (!std::filesystem::exists(path, ignored)) continue;
      auto csv = table::read_csv(path);
      if (!csv) return csv.error();
      const Cells cells(std::move(csv->table));
      if (auto fine = known.read(cells, std::string(known.name), to); !fine)
        return fine.error().in(path.string());
      measured.tables.emplace_back(known.name);
      break;
    }
  }
  return measured;
}

}  // namespace ergon::calibrate
