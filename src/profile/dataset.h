#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "profile/row.h"

namespace ergon::profile {

// Which operations one iteration of a network consists of, and how often.
struct Composition {
  std::string network;
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  struct Part {
    std::string operation;  // Subject::id
    std::int64_t count = 1;
  };
  std::vector<Part> parts;
};

// All that a folder holds.
struct Contents {
  std::vector<Row> rows;  // operations, then networks, each in the file's order
  std::vector<Composition> compositions;
  std::map<std::string, std::string> products;  // by UUID, as sessions name them; simulated ones say so
};

// A folder of measured rows:
//
//   operations.csv, networks.csv   a row each per measured operation or network
//   composition.csv                which operations a network consists of
//   provenance.json                how it was measured: one entry per session
//   networks/                      networks that came from files, without weights
//
// Rows are appended one by one and are on the disk when append() returns. A kill may leave half a line at the
// end of a file, which is cut off when the folder is opened again: at most the row in flight is lost. One
// process writes at a time.
class Dataset {
 public:
  // Makes the folder, or opens it to go on. Errors: it holds rows already and `resume` was not asked for;
  // it holds something else; another process writes; a file that is damaged in its middle, with the line.
  struct Opening {
    bool resume = false;
  };
  static Result<Dataset> open(const std::string& folder, const Opening& opening);
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;
  ~Dataset();

  // Of the rows that need not be measured again: all whose newest row did not fail.
  const std::set<Key>& keys() const;
  // What the devices of its rows are, as in Contents.
  std::map<std::string, std::string> products() const;
  // How a session measures: device, driver, engine, method. Its number, from 1 on, goes into its rows.
  // Contract: an object.
  Result<std::int64_t> begin_session(const nlohmann::ordered_json& provenance);
  // Replaces an earlier row with its key. When it fails the file is what it was. Contract: its session was
  // begun. Errors: invalid_input for a value that would not be read back, and then nothing was written.
  Result<> append(const Row& row);
  // Does nothing when the folder has it already; replaces another one of that network, batch and mode.
  Result<> append(const Composition& composition);

 private:
  class Files;
  explicit Dataset(std::unique_ptr<Files> files);
  std::unique_ptr<Files> files_;
};

// Of rows with one key the last. May be called while another process writes. Errors: no dataset there; a
// damaged line.
Result<Contents> read_dataset(const std::string& folder);

// Puts datasets into a new one, which appears whole or not at all. Sessions are renumbered. Of rows with the
// same key the later one, by its `at`, is kept if it was measured, otherwise the one that was; of
// compositions the last. Errors: those of reading; `into` exists.
struct Merged {
  std::int64_t rows = 0, replaced = 0;  // in the new one; left out for another with their key
  bool simulated = false;               // some of them are
};
Result<Merged> merge_datasets(const std::vector<std::string>& folders, const std::string& into);

}  // namespace ergon::profile
