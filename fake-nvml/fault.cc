#include "fault.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/units_text.h"
#include "functions.h"

namespace ergon::fake_nvml {
namespace {

using device::nvml::Return;

constexpr std::array<std::pair<std::string_view, Return>, 31> kReturns{{
    {"uninitialized", Return::uninitialized},
    {"invalid_argument", Return::invalid_argument},
    {"not_supported", Return::not_supported},
    {"no_permission", Return::no_permission},
    {"already_initialized", Return::already_initialized},
    {"not_found", Return::not_found},
    {"insufficient_size", Return::insufficient_size},
    {"insufficient_power", Return::insufficient_power},
    {"driver_not_loaded", Return::driver_not_loaded},
    {"timeout", Return::timeout},
    {"irq_issue", Return::irq_issue},
    {"library_not_found", Return::library_not_found},
    {"function_not_found", Return::function_not_found},
    {"corrupted_inforom", Return::corrupted_inforom},
    {"gpu_is_lost", Return::gpu_is_lost},
    {"reset_required", Return::reset_required},
    {"operating_system", Return::operating_system},
    {"lib_rm_version_mismatch", Return::lib_rm_version_mismatch},
    {"in_use", Return::in_use},
    {"memory", Return::memory},
    {"no_data", Return::no_data},
    {"vgpu_ecc_not_supported", Return::vgpu_ecc_not_supported},
    {"insufficient_resources", Return::insufficient_resources},
    {"freq_not_supported", Return::freq_not_supported},
    {"argument_version_mismatch", Return::argument_version_mismatch},
    {"deprecated", Return::deprecated},
    {"not_ready", Return::not_ready},
    {"gpu_not_found", Return::gpu_not_found},
    {"invalid_state", Return::invalid_state},
    {"reset_type_not_supported", Return::reset_type_not_supported},
    {"unknown", Return::unknown},
}};

constexpr std::string_view kKinds[] = {"no_driver", "lost",        "vanished", "fails",
                                       "slow",      "unsupported", "stuck",    "absurd"};

std::string listed(std::span<const std::string_view> names) {
  std::string list;
  for (const auto name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

// Reads the fields of one fault; `fields` records errors.
class Reader {
 public:
  Reader(Fields& fields, std::size_t gpus) : fields_(fields), gpus_(gpus) {}

  bool given(const std::string& field) { return !fields_.raw(field).is_null(); }

  std::optional<Seconds> time(const std::string& field) {
    if (!given(field)) return std::nullopt;
    const auto seconds = parse_quantity<Seconds>(fields_.text(field), field);
    if (seconds && *seconds >= Seconds{0}) return *seconds;
    fields_.complain(field, "a time, for example \"5s\"");
    return std::nullopt;
  }
  std::optional<std::int64_t> count(const std::string& field) {
    if (!given(field)) return std::nullopt;
    return fields_.whole(field, 1);
  }
  std::optional<std::size_t> gpu() {
    if (!given("gpu")) return std::nullopt;
    const std::int64_t index = fields_.whole("gpu", 0);
    if (index < static_cast<std::int64_t>(gpus_)) return static_cast<std::size_t>(index);
    fields_.complain("gpu", "the index of a GPU of \"devices\"");
    return std::nullopt;
  }
  std::optional<std::string> function() {
    if (!given("function")) return std::nullopt;
    std::string name = fields_.text("function");
    if (!is_function(name))
      fields_.complain("function", "the name of an NVML function" + suggestion(name, function_names()));
    return name;
  }
  Return result(Return otherwise) {
    if (!given("result")) return otherwise;
    const auto found = return_code_named(fields_.text("result"));
    if (!found) fields_.complain("result", "the name of a return code, for example \"no_permission\"");
    return found.value_or(otherwise);
  }
  SensorField reading() {
    const std::string name = fields_.text("reading");
    const auto* const found = std::find(std::begin(kSensorFieldNames), std::end(kSensorFieldNames), name);
    if (found != std::end(kSensorFieldNames))
      return static_cast<SensorField>(found - std::begin(kSensorFieldNames));
    fields_.complain("reading", "one of " + listed(kSensorFieldNames));
    return SensorField::usage;
  }
  FaultCondition when() { return {time("from"), time("until"), count("after_calls")}; }
  double value(SensorField reading) {
    const QuantityKind kind = reading == SensorField::energy        ? QuantityKind::energy
                              : reading == SensorField::temperature ? QuantityKind::temperature
                                                                    : QuantityKind::power;
    const auto number = parse_si(fields_.text("value"), kind, "value");
    if (!number)
      fields_.complain("value", "a quantity of the reading, for example \"3TW\", \"1MJ\" or \"300degC\"");
    return number.value_or(0);
  }

 private:
  Fields& fields_;
  std::size_t gpus_;
};

void add(Faults& faults, const std::string& kind, Fields& fields, Reader& read) {
  if (kind == "no_driver") {
    faults.no_driver = true;
  } else if (kind == "lost") {
    faults.failing.push_back({std::nullopt, read.gpu(), read.when(), Return::gpu_is_lost});
    if (!faults.failing.back().gpu) fields.complain("gpu", "the GPU that is lost");
  } else if (kind == "vanished") {
    faults.failing.push_back(
        {std::nullopt, std::nullopt, read.when(), read.result(Return::library_not_found)});
  } else if (kind == "fails") {
    faults.failing.push_back({read.function(), read.gpu(), read.when(), read.result(Return::unknown)});
    if (!faults.failing.back().function) fields.complain("function", "the function that fails");
    if (!read.given("result")) fields.complain("result", "the return code");
  } else if (kind == "slow") {
    faults.slow.push_back({read.function(), read.time("by").value_or(Seconds{0})});
    if (!read.given("by")) fields.complain("by", "a time");
  } else if (kind == "unsupported") {
    if (const auto field = read.count("field")) {
      faults.missing_fields.push_back({read.gpu(), static_cast<unsigned>(*field)});
    } else {
      faults.missing.push_back({read.gpu(), read.reading()});
    }
  } else if (kind == "stuck") {
    faults.stuck.push_back({read.gpu(), read.reading(), read.time("from").value_or(Seconds{0})});
  } else if (kind == "absurd") {
    const SensorField reading = read.reading();
    faults.absurd.push_back({read.gpu(), reading, read.value(reading), read.when(), read.count("every")});
  } else {
    fields.complain("fault", "one of " + listed(kKinds));
  }
}

}  // namespace

bool FaultCondition::holds(std::int64_t now_ns, std::int64_t calls) const {
  const double now = static_cast<double>(now_ns) * 1e-9;
  return (!from || now >= from->si()) && (!until || now < until->si()) &&
         (!after_calls || calls > *after_calls);
}

std::optional<Return> return_code_named(std::string_view name) {
  for (const auto& [known, value] : kReturns) {
    if (known == name) return value;
  }
  return std::nullopt;
}

Result<> add_fault(Faults& faults, std::string_view json, const std::string& source, std::size_t gpus) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  Reader read(*fields, gpus);
  add(faults, fields->text("fault"), *fields, read);
  if (auto wrong = fields->error()) return *wrong;
  return {};
}

}  // namespace ergon::fake_nvml
