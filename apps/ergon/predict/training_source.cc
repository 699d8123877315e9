#include "predict/training_source.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "calibrate/python_tables.h"
#include "calibrate/thesis_tables.h"
#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"
#include "networks/candidates.h"
#include "networks/kept_networks.h"
#include "predict/dataset_samples.h"
#include "profile/dataset.h"

namespace ergon::app {
namespace {

using Data = TrainingDataByDevice;

// A twin by the product that a driver names, "NVIDIA H200".
std::optional<std::string> twin_of(std::string_view product) {
  constexpr std::string_view kSimulated = " (simulated)";
  if (product.ends_with(kSimulated)) product.remove_suffix(kSimulated.size());
  for (const std::string& name : device::device_names()) {
    const auto gpu = device::find_device(name);
    if (!gpu) continue;
    // Drivers leave out what a data sheet adds: "NVIDIA H200" of "NVIDIA H200-SXM-141GB".
    const bool begins = gpu->title.starts_with(product) && gpu->title.size() > product.size() &&
                        (gpu->title[product.size()] == '-' || gpu->title[product.size()] == ' ');
    if (gpu->name == product || gpu->title == product || begins) return name;
  }
  return std::nullopt;
}

Result<graph::Network> network_named(const std::string& name, const KeptNetworks& kept) {
  if (kept.holds(name)) return kept.load(name);
  const auto candidates = load_candidates({name}, std::nullopt);
  if (!candidates) return candidates.error();
  return candidates->front().network;
}

// A folder's own name, without where it lies.
std::string name_of_folder(const std::string& folder) {
  const auto path = std::filesystem::path(folder).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

Result<> add_profiled(const std::string& folder, const KeptNetworks& kept, Data& data) {
  const auto contents = profile::read_dataset(folder);
  if (!contents) return contents.error();
  std::map<std::string, profile::Contents> by_twin;
  std::map<std::string, std::set<std::string>> boards;
  for (const profile::Row& row : contents->rows) {
    const auto product = contents->products.find(row.device);
    const std::string name = product == contents->products.end() ? row.device : product->second;
    const auto twin = twin_of(name);
    if (!twin)
      return fail(Errc::not_found, "{}: rows of {}, which has no twin in `ergon devices`", folder,
                  printable(name));
    by_twin[*twin].rows.push_back(row);
    boards[*twin].insert(row.device);
  }
  const auto find = [&](const std::string& name) { return network_named(name, kept); };
  for (auto& [twin, part] : by_twin) {
    part.compositions = contents->compositions;
    const bool simulated =
        std::any_of(part.rows.begin(), part.rows.end(), [](const auto& row) { return row.simulated; });
    const predict::Source source{name_of_folder(folder),
                                 fmt::format("`ergon profile`, {}{}", counted(boards[twin].size(), "board"),
                                             simulated ? ", simulated" : ""),
                                 0, 0, simulated};
    data[twin].device = twin;
    if (const auto added = predict::add_dataset(part, source, find, data[twin]); !added)
      return added.error().in(folder);
  }
  return {};
}

Result<> add_thesis(const std::string& folder, Data& data) {
  const auto tables = calibrate::read_thesis_tables(folder);
  if (!tables) return tables.error();
  std::map<std::string, predict::Source> sources;
  for (const auto& each : tables->operations) {
    const predict::Condition condition{each.operation.batch, each.mode, each.precision};
    auto task = predict::lone_task(each.operation.network, condition);
    if (!task) return task.error().in(each.text);
    predict::TrainingData& known = data[each.device];
    predict::OperationSample sample;
    sample.group = predict::group_of(*task);
    sample.task = std::move(*task);
    sample.condition = condition;
    sample.time = each.time;
    sample.power = each.power;
    known.operations.push_back(std::move(sample));
    ++sources[each.device].operations;
  }
  for (const auto& each : tables->networks) {
    const auto entry = graph::zoo::find(each.network);
    if (!entry) return entry.error();
    const auto network = graph::zoo::build(**entry, {each.size, {}});
    if (!network) return network.error();
    auto job = predict::job_of(*network, {each.batch, each.mode, each.precision});
    if (!job) return job.error();
    data[each.device].networks.push_back({std::move(*job), {}, each.time, each.power});
    ++sources[each.device].networks;
  }
  for (auto& [device, source] : sources) {
    source.name = "a30_2080ti";
    source.detail =
        "C. Nicolai, On Energy Modeling of Deep Neural Network Operations: public tables, PyTorch, "
        "the GPU's own clocks";
    data[device].device = device;
    data[device].sources.push_back(source);
    for (const std::string& why : tables->skipped) data[device].skipped.push_back(why);
  }
  return {};
}

// A network as a table names it, with its name in datasets.
struct Found {
  std::string name;
  graph::Network network;
};

Result<Found> found_in_table(const calibrate::PythonNetwork& row, const KeptNetworks& kept) {
  const auto entry = graph::zoo::find(row.network);
  if (!entry) {
    const auto name = kept.name_of(row.network);
    if (!name) return name.error();
    auto network = kept.load(*name);
    if (!network) return fail(Errc::invalid_input, "{}: {}", *name, network.error().message);
    return Found{*name, std::move(*network)};
  }
  // Tables give the side of an image or the length of a text; a network has the one or the other.
  auto network = graph::zoo::build(**entry, {row.size, {}});
  if (!network) network = graph::zoo::build(**entry, {{}, row.size});
  if (!network) return fail(Errc::invalid_input, "{}: {}", row.network, network.error().message);
  return Found{row.network, std::move(*network)};
}

// The folder is named after the twin: its tables do not say what they were measured on.
Result<> add_python(const std::string& folder, const KeptNetworks& kept, Data& data) {
  const auto gpu = device::find_device(name_of_folder(folder));
  if (!gpu) return gpu.error().in(fmt::format("{}: a folder of tables is named after its twin", folder));
  const auto tables = calibrate::read_python_tables(folder);
  if (!tables) return tables.error();
  predict::TrainingData& known = data[gpu->name];
  known.device = gpu->name;
  predict::Source source{"reference/" + gpu->name, "whole networks, PyTorch in Python", 0, 0, false};
  std::map<std::string, std::size_t> unknown;
  std::set<std::string> unclear;
  for (const auto& each : tables->networks) {
    auto found = found_in_table(each, kept);
    if (!found) {
      ++unknown[each.network];
      if (found.error().kind != Errc::not_found) unclear.insert(found.error().message);
      continue;
    }
    auto job = predict::job_of(found->network,
                               {each.batch, each.mode, each.precision, predict::usual_host(found->network)});
    if (!job) return job.error().in(each.network);
    job->network = found->name;
    known.networks.push_back({std::move(*job), {}, each.time, each.power});
    ++source.networks;
  }
  for (const auto& [name, rows] : unknown)
    known.skipped.push_back(
        fmt::format("{} of {}, which is neither in the zoo nor kept", counted(rows, "row"), name));
  known.skipped.insert(known.skipped.end(), unclear.begin(), unclear.end());
  known.skipped.insert(known.skipped.end(), tables->skipped.begin(), tables->skipped.end());
  known.sources.push_back(std::move(source));
  return {};
}

Result<> add_folder(const std::string& folder, const KeptNetworks& kept, Data& data) {
  if (calibrate::holds_thesis_tables(folder)) return add_thesis(folder, data);
  if (calibrate::holds_python_tables(folder)) return add_python(folder, kept, data);
  return add_profiled(folder, kept, data);
}

}  // namespace

Result<Data> read_training_data(const std::vector<std::string>& folders) {
  Data data;
  KeptNetworks kept;
  for (const std::string& folder : folders) kept.add(folder);
  for (const std::string& folder : folders) {
    if (const auto added = add_folder(folder, kept, data); !added) return added.error();
  }
  return data;
}

Result<const predict::TrainingData*> data_of(const Data& all, const std::optional<std::string>& device) {
  std::vector<std::string> names;
  for (const auto& each : all) names.push_back(each.first);
  if (!device && names.size() == 1) return &all.begin()->second;
  if (!device) {
    return fail(Errc::invalid_input, "there are rows of {}: say which with --device",
                names.empty() ? std::string("no device") : fmt::format("{}", fmt::join(names, " and ")));
  }
  const auto found = all.find(*device);
  if (found == all.end())
    return fail(Errc::not_found, "no rows of {}{}", *device, suggestion(*device, names));
  return &found->second;
}

std::vector<predict::Relative> relatives_of(const std::string& device, const Data& all) {
  std::vector<predict::Relative> relatives;
  for (const auto& [name, data] : all) {
    const auto gpu = device::find_device(name);
    if (gpu && name != device) relatives.push_back({&data, *gpu});
  }
  return relatives;
}

}  // namespace ergon::app
