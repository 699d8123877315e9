#include "systolic/scalesim/config.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "systolic/scalesim/ini.h"

namespace ergon::systolic::scalesim {
namespace {

constexpr std::int64_t kWordsPerKb = 1024;
constexpr std::int64_t kV3ReadsWithoutLayout = 10;

// Reads settings and keeps the first error, so that a reader is a plain list of settings.
class Reader {
 public:
  Reader(const Ini& ini, std::string_view source) : ini_(ini), source_(source) {}

  const std::optional<Error>& error() const { return error_; }

  const Ini::Value* find(std::string_view section, std::string_view key) const {
    const auto found = ini_.sections.find(section);
    if (found == ini_.sections.end()) return nullptr;
    const auto value = found->second.find(lower(key));
    if (value == found->second.end()) return nullptr;
    value->second.used = true;
    return &value->second;
  }

  const Ini::Value* require(std::string_view section, std::string_view key) {
    if (!ini_.sections.contains(section)) {
      fail_with(fail(Errc::invalid_input, "{}: there is no section [{}], where {} should be", source_,
                     section, key));
      return nullptr;
    }
    const Ini::Value* value = find(section, key);
    if (value == nullptr) {
      fail_with(fail(Errc::invalid_input, "{}: [{}] has no {}", source_, section, key));
    }
    return value;
  }

  std::int64_t whole(const Ini::Value& value, std::int64_t least, std::int64_t greatest) {
    const auto number = parse_int64(trim(value.text));
    if (!number || *number < least || *number > greatest) {
      fail_at(value, fmt::format("{} wants a whole number from {} to {}, not \"{}\"", value.key, least,
                                 greatest, printable(value.text)));
      return least;
    }
    return *number;
  }

  std::int64_t require_whole(std::string_view section, std::string_view key, std::int64_t least,
                             std::int64_t greatest) {
    const Ini::Value* value = require(section, key);
    return value == nullptr ? least : whole(*value, least, greatest);
  }

  std::optional<std::int64_t> optional_whole(std::string_view section, std::string_view key,
                                             std::int64_t least, std::int64_t greatest) {
    const Ini::Value* value = find(section, key);
    if (value == nullptr) return std::nullopt;
    return whole(*value, least, greatest);
  }

  // A feature of SCALE-Sim that Ergon does not support: it must be off.
  void refuse_if_on(std::string_view section, std::string_view key, std::string_view what) {
    const Ini::Value* value = find(section, key);
    if (value == nullptr) return;
    const std::string text = lower(value->text);
    if (text == "true" || text == "1" || text == "yes" || text == "on") {
      fail_with(fail(Errc::unsupported, "{}:{}: {} = {}: {} is not supported", source_, value->line,
                     value->key, printable(value->text), what));
    } else if (text != "false" && text != "0" && text != "no" && text != "off") {
      fail_at(*value, fmt::format("{} wants true or false, not \"{}\"", value->key, printable(value->text)));
    }
  }

  void fail_at(const Ini::Value& value, const std::string& message) {
    fail_with(fail(Errc::invalid_input, "{}:{}: {}", source_, value.line, message));
  }

 private:
  void fail_with(Error error) {
    if (!error_) error_ = std::move(error);
  }

  const Ini& ini_;
  std::string_view source_;
  std::optional<Error> error_;
};

// Keys of SCALE-Sim's files that have no effect here: addresses do not overlap, and banks and request buffers
// belong to modes that are off.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWithoutEffect = {{
    {"architecture_presets", "IfmapOffset"},
    {"architecture_presets", "FilterOffset"},
    {"architecture_presets", "OfmapOffset"},
    {"architecture_presets", "MemoryBanks"},
    {"architecture_presets", "ReadRequestBuffer"},
    {"architecture_presets", "WriteRequestBuffer"},
    {"layout", "IfmapSRAMBankPort"},
    {"layout", "FilterSRAMBankPort"},
    {"sparsity", "SparseRep"},
    {"sparsity", "OptimizedMapping"},
    {"sparsity", "BlockSize"},
    {"sparsity", "NonZeroElems"},
    {"sparsity", "RandomNumberGeneratorSeed"},
    {"network_presets", "TopologyCsvLoc"},
}};

void read_machine(Reader& read, Config& config) {
  constexpr std::string_view kSection = "architecture_presets";
  constexpr std::int64_t kMaxUnits = std::int64_t{1} << 20, kMaxKb = std::int64_t{1} << 30;
  Machine& machine = config.machine;
  machine.array.rows = read.require_whole(kSection, "ArrayHeight", 1, kMaxUnits);
  machine.array.columns = read.require_whole(kSection, "ArrayWidth", 1, kMaxUnits);
  machine.scratchpads.ifmap = kWordsPerKb * read.require_whole(kSection, "IfmapSramSzkB", 1, kMaxKb);
  machine.scratchpads.filter = kWordsPerKb * read.require_whole(kSection, "FilterSramSzkB", 1, kMaxKb);
  machine.scratchpads.ofmap = kWordsPerKb * read.require_whole(kSection, "OfmapSramSzkB", 1, kMaxKb);
  if (const Ini::Value* value = read.require(kSection, "Dataflow")) {
    const auto dataflow = dataflow_of(trim(value->text));
    if (!dataflow) {
      read.fail_at(*value, fmt::format("{}: {}", value->key, dataflow.error().message));
    } else {
      machine.dataflow = *dataflow;
    }
  }
}

// The error of an invalid scratchpad size, with the line of its key.
void check_scratchpads(Reader& read, const Machine& machine) {
  constexpr std::string_view kSection = "architecture_presets";
  const std::pair<const char*, std::int64_t Scratchpads::*> pads[] = {
      {"IfmapSramSzkB", &Scratchpads::ifmap},
      {"FilterSramSzkB", &Scratchpads::filter},
      {"OfmapSramSzkB", &Scratchpads::ofmap}};
  for (const auto& [key, pad] : pads) {
    Machine alone = machine;
    alone.scratchpads = {std::int64_t{1} << 30, std::int64_t{1} << 30, std::int64_t{1} << 30};
    alone.scratchpads.*pad = machine.scratchpads.*pad;
    const auto fits = alone.check();
    if (!fits) read.fail_at(*read.find(kSection, key), fmt::format("{}: {}", key, fits.error().message));
  }
}

void read_bandwidth(Reader& read, Config& config) {
  constexpr std::int64_t kMaxWords = std::int64_t{1} << 30;
  if (const Ini::Value* mode = read.require("run_presets", "InterfaceBandwidth")) {
    config.user_bandwidth = mode->text == "USER";
    if (mode->text != "USER" && mode->text != "CALC") {
      read.fail_at(*mode, fmt::format("{} is USER or CALC, not \"{}\"", mode->key, printable(mode->text)));
    }
  }
  const Ini::Value* bandwidth = config.user_bandwidth ? read.require("architecture_presets", "Bandwidth")
                                                      : read.find("architecture_presets", "Bandwidth");
  if (bandwidth != nullptr && config.user_bandwidth) {
    // A list of bandwidths; SCALE-Sim uses the first.
    Ini::Value first = *bandwidth;
    first.text = std::string(trim(split(bandwidth->text, ',').front()));
    config.bandwidth = read.whole(first, 1, kMaxWords);
    if (first.text != trim(bandwidth->text))
      config.warnings.emplace_back("of a list of bandwidths only the first counts");
  }
  struct Bank {
    const char* bandwidth;
    const char* count;
    std::optional<std::int64_t>& target;
  };
  for (const Bank& bank :
       {Bank{"IfmapSRAMBankBandwidth", "IfmapSRAMBankNum", config.ifmap_bank_bandwidth},
        Bank{"FilterSRAMBankBandwidth", "FilterSRAMBankNum", config.filter_bank_bandwidth}}) {
    bank.target = read.optional_whole("layout", bank.bandwidth, 1, kMaxWords);
    const auto banks = read.optional_whole("layout", bank.count, 1, kMaxWords);
    if (bank.target && banks && *bank.target % *banks != 0 && config.user_bandwidth) {
      read.fail_at(*read.find("layout", bank.count),
                   fmt::format("{} = {} does not divide {} = {}; SCALE-Sim stops here", bank.count, *banks,
                               bank.bandwidth, *bank.target));
    }
  }
}

void warn_of_unused(const Ini& ini, std::string_view source, std::vector<std::string>& warnings) {
  std::map<std::size_t, std::string> by_line;
  for (const auto& [name, section] : ini.sections) {
    for (const auto& [key, value] : section) {
      if (value.used) continue;
      by_line[value.line] = fmt::format("{}:{}: [{}] {} has no effect", source, value.line, printable(name),
                                        printable(value.key));
    }
  }
  for (const auto& [line, warning] : by_line) warnings.push_back(warning);
}

}  // namespace

PortWords Config::ports(Semantics semantics) const {
  const std::int64_t words = bandwidth.value_or(kV3ReadsWithoutLayout);
  if (semantics != Semantics::v3) return PortWords::all(words);
  return {ifmap_bank_bandwidth.value_or(kV3ReadsWithoutLayout),
          filter_bank_bandwidth.value_or(kV3ReadsWithoutLayout), words};
}

Result<Config> parse_config(std::string_view text, std::string_view source) {
  const auto ini = parse_ini(text, source);
  if (!ini) return ini.error();
  Reader read(*ini, source);
  Config config;
  if (const Ini::Value* name = read.require("general", "run_name")) {
    config.run_name = name->text;
    const bool plain = std::none_of(name->text.begin(), name->text.end(),
                                    [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '/'; });
    if (name->text.empty() || !plain || name->text == ".." || name->text == ".") {
      read.fail_at(
          *name, fmt::format("{} = \"{}\" cannot be the name of a folder", name->key, printable(name->text)));
    }
  }
  read_machine(read, config);
  read_bandwidth(read, config);
  read.refuse_if_on("sparsity", "SparsitySupport", "sparsity");
  read.refuse_if_on("layout", "IfmapCustomLayout", "a layout of one's own");
  read.refuse_if_on("layout", "FilterCustomLayout", "a layout of one's own");
  read.refuse_if_on("run_presets", "UseRamulatorTrace", "a Ramulator trace");
  if (!read.error()) check_scratchpads(read, config.machine);
  if (read.error()) return *read.error();
  for (const auto& [section, key] : kWithoutEffect) read.find(section, key);
  warn_of_unused(*ini, source, config.warnings);
  return config;
}

}  // namespace ergon::systolic::scalesim
