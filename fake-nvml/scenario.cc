#include "scenario.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_fields.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/catalog.h"
#include "functions.h"

namespace ergon::fake_nvml {
namespace {

using Json = nlohmann::json;

constexpr std::pair<std::string_view, Permission> kPermissions[] = {
    {"power_limit", Permission::power_limit},   {"core_clock", Permission::core_clock},
    {"memory_clock", Permission::memory_clock}, {"application_clocks", Permission::application_clocks},
    {"persistence", Permission::persistence},
};

// FNV-1a: the same everywhere, unlike std::hash.
std::uint64_t digest_of(std::string_view text, std::uint64_t digest = 0xcbf29ce484222325) {
  for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return digest;
}

// Derives UUID and serial number from the twin, the seed and the index.
void set_ids(DeviceSlot& slot, std::size_t index) {
  Random random(digest_of(fmt::format("{} {} {}", slot.gpu.name, slot.seed, index)));
  const std::uint64_t high = random.bits(), low = random.bits();
  if (slot.uuid.empty()) {
    slot.uuid = fmt::format("GPU-{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                            high & 0xffff, low >> 48, low & 0xffffffffffff);
  }
  if (slot.serial.empty()) slot.serial = fmt::format("1{:012}", random.below(1'000'000'000'000));
}

// "0000:10:00.0" or "00000000:10:00.0", in hexadecimal.
std::optional<PciAddress> parse_pci(std::string_view text) {
  PciAddress address;
  const auto parts = split(text.substr(0, text.rfind('.')), ':');
  if (parts.size() != 3 || text.size() < 4 || !text.ends_with(".0")) return std::nullopt;
  unsigned* const targets[] = {&address.domain, &address.bus, &address.device};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    char* end = nullptr;
    const std::string part(parts[i]);
    *targets[i] = static_cast<unsigned>(std::strtoul(part.c_str(), &end, 16));
    if (part.empty() || *end != '\0') return std::nullopt;
  }
  if (address.bus > 0xff || address.device > 0x1f) return std::nullopt;
  return address;
}

bool is_file(const std::string& twin) { return lower(twin).ends_with(".json"); }

// Resolves a path relative to the folder of a file.
std::string resolved(const std::string& source, const std::string& path) {
  return (std::filesystem::path(source).parent_path() / path).string();
}

Result<DeviceSlot> seat_of(const Json& json, const std::string& source, const std::string& place,
                           std::size_t index) {
  Json object = json;
  if (json.is_string()) object = Json::object({{"twin", json}});
  auto fields = Fields::parse(object.dump(), place);
  if (!fields) return fields.error();
  DeviceSlot slot;
  const std::string twin = fields->text("twin");
  slot.seed = index;
  if (!fields->raw("seed").is_null()) slot.seed = static_cast<std::uint64_t>(fields->whole("seed", 0));
  if (!fields->raw("uuid").is_null()) slot.uuid = fields->text("uuid");
  if (!fields->raw("serial").is_null()) slot.serial = fields->text("serial");
  slot.pci.bus = 0x10 + static_cast<unsigned>(index);
  if (!fields->raw("pci").is_null()) {
    const auto pci = parse_pci(fields->text("pci"));
    if (pci) slot.pci = *pci;
    if (!pci) fields->complain("pci", "a PCI address, for example \"0000:10:00.0\"");
  }
  if (auto wrong = fields->error()) return *wrong;
  auto gpu = device::find_device(is_file(twin) ? resolved(source, twin) : twin);
  if (!gpu) return gpu.error().in(place);
  slot.gpu = std::move(*gpu);
  if (is_file(twin)) slot.file = read_file(resolved(source, twin)).value_or("");
  set_ids(slot, index);
  return slot;
}

Result<Background> background_of(const Json& json, const std::string& source, std::size_t gpus) {
  auto fields = Fields::parse(json.dump(), source);
  if (!fields) return fields.error();
  Background background;
  const auto given = [&](const char* field) { return !fields->raw(field).is_null(); };
  if (given("gpu")) background.gpu = static_cast<std::size_t>(fields->whole("gpu", 0));
  if (background.gpu >= gpus) fields->complain("gpu", "the index of a GPU of \"devices\"");
  background.load.network = fields->text("network");
  if (given("batch")) background.load.batch = fields->whole("batch", 1);
  if (given("precision")) {
    const auto precision = parse_precision(fields->text("precision"));
    if (precision) background.load.precision = *precision;
    if (!precision) fields->complain("precision", "fp32, tf32, bf16 or fp16");
  }
  if (given("mode")) {
    const auto mode = parse_mode(fields->text("mode"));
    if (mode) background.load.mode = *mode;
    if (!mode) fields->complain("mode", "inference or training");
  }
  for (const auto& [name, target] : {std::pair{"on", &background.on}, std::pair{"off", &background.off}}) {
    if (!given(name)) continue;
    const auto time = parse_quantity<Seconds>(fields->text(name), name);
    if (time && *time >= Seconds{1e-3}) *target = *time;
    if (!*target) fields->complain(name, "a time of at least 1ms, for example \"2s\"");
  }
  if (given("on") != given("off"))
    fields->complain(given("on") ? "off" : "on", "a time: give both, or neither");
  if (auto wrong = fields->error()) return *wrong;
  return background;
}

void read_permissions(Fields& fields, std::set<Permission>& permissions) {
  const Json& json = fields.raw("permissions");
  const bool all = json.is_null() || json == "all";
  for (const auto& [name, permission] : kPermissions) {
    if (all || (json.is_array() && std::find(json.begin(), json.end(), name) != json.end())) {
      permissions.insert(permission);
    }
  }
  const bool known = !json.is_array() || json.size() == permissions.size();
  if (!known || (!all && json != "none" && !json.is_array())) {
    fields.complain("permissions",
                    "\"all\", \"none\" or a list of power_limit, core_clock, memory_clock, "
                    "application_clocks, persistence");
  }
}

void read_version(Fields& fields, Scenario& scenario) {
  if (!fields.raw("driver").is_null()) scenario.driver = fields.text("driver");
  if (fields.raw("cuda").is_null()) return;
  const std::string version = fields.text("cuda");
  const auto parts = split(version, '.');
  const auto major = parse_int64(parts[0]), minor = parse_int64(parts.size() == 2 ? parts[1] : "");
  if (major && minor && *major > 0 && *major < 100 && *minor >= 0 && *minor < 100) {
    scenario.cuda = static_cast<int>(*major * 1000 + *minor * 10);
  } else {
    fields.complain("cuda", "a version, for example \"13.0\"");
  }
}

// Calls `take` for each element of a list, with its path for messages.
template <typename Take>
Result<> each(Fields& fields, const std::string& source, const std::string& field, const Take& take) {
  const Json& list = fields.raw(field);
  if (list.is_null()) return {};
  if (!list.is_array()) return fields.complain(field, "a list"), Result<>{};
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (Result<> taken = take(list[i], fmt::format("{}: {}[{}]", source, field, i), i); !taken) return taken;
  }
  return {};
}

Result<> read_lists(Fields& fields, const std::string& source, Scenario& scenario) {
  const auto slot = [&](const Json& json, const std::string& place, std::size_t i) -> Result<> {
    auto made = seat_of(json, source, place, i);
    if (!made) return made.error();
    scenario.slots.push_back(std::move(*made));
    return {};
  };
  const auto background = [&](const Json& json, const std::string& place, std::size_t) -> Result<> {
    auto made = background_of(json, place, scenario.slots.size());
    if (!made) return made.error();
    const auto fits = place_load(made->load, scenario.slots[made->gpu].gpu);
    if (!fits) return fits.error().in(place);
    scenario.background.push_back(std::move(*made));
    return {};
  };
  const auto fault = [&](const Json& json, const std::string& place, std::size_t) {
    return add_fault(scenario.faults, json.dump(), place, scenario.slots.size());
  };
  if (fields.raw("devices").is_null()) scenario.slots = default_scenario().slots;
  if (auto read = each(fields, source, "devices", slot); !read) return read;
  if (scenario.slots.size() > kMaxDevices) fields.complain("devices", "at most 64 devices");
  if (auto read = each(fields, source, "background", background); !read) return read;
  return each(fields, source, "faults", fault);
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view json, const std::string& source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  Scenario scenario;
  read_version(*fields, scenario);
  read_permissions(*fields, scenario.permissions);
  if (!fields->raw("time").is_null()) {
    const std::string time = fields->text("time");
    scenario.manual_time = time == "manual";
    if (!scenario.manual_time && time != "wall") fields->complain("time", "\"wall\" or \"manual\"");
  }
  if (!fields->raw("sockets").is_null())
    scenario.sockets = static_cast<std::size_t>(std::max<std::int64_t>(1, fields->whole("sockets", 1)));
  if (!fields->raw("state").is_null()) scenario.state = resolved(source, fields->text("state"));
  for (std::string& name : fields->texts("absent")) {
    if (!is_function(name)) {
      fields->complain("absent", "names of NVML functions" + suggestion(name, function_names()));
    }
    scenario.absent.insert(std::move(name));
  }
  if (auto read = read_lists(*fields, source, scenario); !read) return read.error();
  if (auto wrong = fields->error()) return *wrong;
  scenario.digest = digest_of(json);
  // A device file may change while the scenario does not.
  for (const DeviceSlot& slot : scenario.slots) scenario.digest = digest_of(slot.file, scenario.digest);
  return scenario;
}

Scenario default_scenario() {
  Scenario scenario;
  DeviceSlot slot;
  slot.gpu = device::find_device("h200").value();
  slot.pci.bus = 0x10;
  set_ids(slot, 0);
  scenario.slots.push_back(std::move(slot));
  for (const auto& [name, permission] : kPermissions) scenario.permissions.insert(permission);
  scenario.digest = digest_of("default");
  return scenario;
}

Result<Scenario> scenario_of_environment() {
  const char* const file = std::getenv("ERGON_FAKE_NVML");
  if (file == nullptr || *file == '\0') return default_scenario();
  const auto text = read_file(file);
  if (!text) return text.error();
  auto scenario = parse_scenario(*text, file);
  if (scenario) {
    std::error_code unknown;
    const auto path = std::filesystem::weakly_canonical(file, unknown);
    scenario->path_digest = digest_of(unknown ? std::string(file) : path.string());
  }
  return scenario;
}

std::filesystem::path state_folder(const Scenario& scenario) {
  if (scenario.state) return *scenario.state;
  const char* const folder = std::getenv("ERGON_FAKE_NVML_STATE");
  if (folder != nullptr && *folder != '\0') return folder;
  std::error_code unknown;
  auto temporary = std::filesystem::temp_directory_path(unknown);
  if (unknown) temporary = "/tmp";
  return temporary / fmt::format("ergon-fake-nvml-{}-{:016x}", geteuid(), scenario.path_digest);
}

}  // namespace ergon::fake_nvml
