#include "sources/training_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "calibrate/board_power.h"
#include "calibrate/python_tables.h"
#include "calibrate/thesis_tables.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "predict/samples/dataset_samples.h"
#include "profile/dataset.h"
#include "sources/device_source.h"
#include "sources/network_list.h"
#include "sources/stored_networks.h"

namespace ergon::sources {
namespace {

using Data = predict::TrainingDataByDevice;

Result<graph::Network> network_named(const std::string& name, const StoredNetworks& stored) {
  if (stored.holds(name)) return stored.load(name);
  const auto candidates = load_networks({name}, std::nullopt);
  if (!candidates) return candidates.error();
  return candidates->front().network;
}

// The last component of the path.
std::string name_of_folder(const std::string& folder) {
  const auto path = std::filesystem::path(folder).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

// Errors: invalid_input, for a row whose power the board cannot draw.
Result<> check_powers(const std::vector<profile::Row>& rows, const std::string& twin) {
  const Watts highest = calibrate::max_power_of(twin);
  for (const profile::Row& row : rows) {
    if (!row.power || *row.power <= highest) continue;
    const bool network = row.subject.kind == profile::Subject::Kind::network;
    return fail(Errc::invalid_input,
                "{}: {} at batch {}: power_watts {:g} is not plausible; a board of {} draws at most {:g} W",
                network ? "networks.csv" : "operations.csv", printable(row.subject.id), row.condition.batch,
                row.power->si(), twin, highest.si());
  }
  return {};
}

Result<> add_profiled(const std::string& folder, const StoredNetworks& stored, Data& data) {
  const auto contents = profile::read_dataset(folder);
  if (!contents) return contents.error();
  std::map<std::string, profile::DatasetContents> by_twin;
  std::map<std::string, std::set<std::string>> boards;
  for (const profile::Row& row : contents->rows) {
    const auto product = contents->products.find(row.device);
    const std::string name = product == contents->products.end() ? row.device : product->second;
    const auto twin = twin_of_product(name);
    if (!twin)
      return fail(Errc::not_found, "{}: \"{}\" has no device file (see `ergon devices`)", folder,
                  printable(name));
    by_twin[*twin].rows.push_back(row);
    boards[*twin].insert(row.device);
  }
  const auto find = [&](const std::string& name) { return network_named(name, stored); };
  for (auto& [twin, part] : by_twin) {
    if (auto fine = check_powers(part.rows, twin); !fine) return fine.error().in(folder);
    part.compositions = contents->compositions;
    const bool simulated =
        std::any_of(part.rows.begin(), part.rows.end(), [](const auto& row) { return row.simulated; });
    const predict::TrainingSource source{
        name_of_folder(folder),
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
  std::map<std::string, predict::TrainingSource> sources;
  for (const auto& each : tables->operations) {
    const predict::WorkloadConfig config{each.operation.batch, each.mode, each.precision};
    auto task = predict::standalone_task(each.operation.network, config);
    if (!task) return task.error().in(each.text);
    predict::TrainingData& training = data[each.device];
    predict::OperationSample sample;
    sample.group = predict::group_of(*task);
    sample.task = std::move(*task);
    sample.config = config;
    sample.time = each.time;
    sample.power = each.power;
    training.operations.push_back(std::move(sample));
    ++sources[each.device].operations;
  }
  for (const auto& each : tables->networks) {
    const auto entry = graph::zoo::find(each.network);
    if (!entry) return entry.error();
    const auto network = graph::zoo::build(**entry, {each.size, {}});
    if (!network) return network.error();
    auto iteration = predict::iteration_of(*network, {each.batch, each.mode, each.precision});
    if (!iteration) return iteration.error();
    data[each.device].networks.push_back({std::move(*iteration), {}, each.time, each.power});
    ++sources[each.device].networks;
  }
  for (auto& [device, source] : sources) {
    source.name = "a30_2080ti";
    source.detail =
        "C. Nicolai, On Energy Modeling of Deep Neural Network Operations: public tables, PyTorch, "
        "default clocks";
    data[device].device = device;
    data[device].sources.push_back(source);
    for (const std::string& why : tables->skipped) data[device].skipped.push_back(why);
  }
  return {};
}

// A network of a table, with its name in datasets.
struct TableNetwork {
  std::string name;
  graph::Network network;
};

Result<TableNetwork> found_in_table(const calibrate::PythonNetwork& row, const StoredNetworks& stored) {
  const auto entry = graph::zoo::find(row.network);
  if (!entry) {
    const auto name = stored.name_of(row.network);
    if (!name) return name.error();
    auto network = stored.load(*name);
    if (!network) return fail(Errc::invalid_input, "{}: {}", *name, network.error().message);
    return TableNetwork{*name, std::move(*network)};
  }
  // The size in a table is an image side or a sequence length, depending on the network.
  auto network = graph::zoo::build(**entry, {row.size, {}});
  if (!network) network = graph::zoo::build(**entry, {{}, row.size});
  if (!network) return fail(Errc::invalid_input, "{}: {}", row.network, network.error().message);
  return TableNetwork{row.network, std::move(*network)};
}

// The folder is named after the twin, because its tables do not name the device.
Result<> add_python(const std::string& folder, const StoredNetworks& stored, Data& data) {
  const auto gpu = device::find_device(name_of_folder(folder));
  if (!gpu) return gpu.error().in(fmt::format("{}: the folder must have the name of a device", folder));
  const auto tables = calibrate::read_python_tables(folder, gpu->name);
  if (!tables) return tables.error();
  predict::TrainingData& training = data[gpu->name];
  training.device = gpu->name;
  predict::TrainingSource source{folder, "whole networks, PyTorch in Python", 0, 0, false};
  std::map<std::string, std::size_t> unknown;
  std::set<std::string> problems;
  for (const auto& each : tables->networks) {
    auto found = found_in_table(each, stored);
    if (!found) {
      ++unknown[each.network];
      if (found.error().kind != Errc::not_found && found.error().kind != Errc::unknown_name)
        problems.insert(found.error().message);
      continue;
    }
    auto iteration = predict::iteration_of(found->network, {each.batch, each.mode, each.precision,
                                                            predict::default_launch_host(found->network)});
    if (!iteration) return iteration.error().in(each.network);
    iteration->network = found->name;
    training.networks.push_back({std::move(*iteration), {}, each.time, each.power});
    ++source.networks;
  }
  for (const auto& [name, rows] : unknown)
    training.skipped.push_back(
        fmt::format("{} of {}: not in the zoo and not a stored network", counted(rows, "row"), name));
  training.skipped.insert(training.skipped.end(), problems.begin(), problems.end());
  training.skipped.insert(training.skipped.end(), tables->skipped.begin(), tables->skipped.end());
  training.sources.push_back(std::move(source));
  return {};
}

Result<> add_folder(const std::string& folder, const StoredNetworks& stored, Data& data) {
  if (calibrate::holds_thesis_tables(folder)) return add_thesis(folder, data);
  if (calibrate::holds_python_tables(folder)) return add_python(folder, stored, data);
  return add_profiled(folder, stored, data);
}

}  // namespace

Result<Data> read_training_data(const std::vector<std::string>& folders) {
  Data data;
  StoredNetworks stored;
  for (const std::string& folder : folders) stored.add(folder);
  for (const std::string& folder : folders) {
    if (const auto added = add_folder(folder, stored, data); !added) return added.error();
  }
  return data;
}

}  // namespace ergon::sources
