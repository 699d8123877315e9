#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "table/csv/read.h"
#include "table/table.h"

namespace ergon::app {

// Input options that the `ergon table` commands share.
struct ReadSettings {
  std::map<std::string, table::Type> types;
  char separator = ',';
  bool pad = false;

  void declare(Options& options);
  Result<table::CsvTable> read(const std::string& file, Shell& shell) const;
  // Two files with the same options; a --type may apply to either.
  Result<std::pair<table::CsvTable, table::CsvTable>> read_two(const std::string& left,
                                                               const std::string& right, Shell& shell) const;

 private:
  Result<table::CsvTable> read(const std::string& file, Shell& shell, bool types_must_exist) const;
};

// The files that a command read. `simulated`: one of their rows is marked as simulated.
struct TableInputs {
  std::vector<std::string> files;
  bool simulated = false;
};

// Whether a row is marked as simulated in a column "simulated", as in fleet logs and in rows of `ergon
// profile` and `ergon sweep`.
bool is_simulated(const table::Table& table);

// Where a resulting table goes: CSV or JSON on standard output, or a CSV file.
struct WriteSettings {
  std::optional<std::string> out;

  void declare(Options& options);
  // `facts` are added to the JSON document; without --json, `remark` goes to standard error.
  Result<int> write(const table::Table& table, std::string_view schema, TableInputs inputs,
                    const nlohmann::ordered_json& facts, const std::string& remark, Shell& shell) const;
};

}  // namespace ergon::app
