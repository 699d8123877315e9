// The parser reports one value after another, and is stopped as soon as both members are known: nothing else
// of the document is ever in memory.

#include "service/jobs/document_summary.h"

#include <cstdint>
#include <fstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/input_limits.h"

namespace ergon::service {
namespace {

constexpr std::size_t kMaxRead = std::size_t{256} << 10;

class SummaryParser {
 public:
  bool null() { return value(); }
  bool boolean(bool truth) {
    if (in_provenance() && name_ == "simulated") summary_.simulated = truth;
    return value();
  }
  bool number_integer(std::int64_t) { return value(); }
  bool number_unsigned(std::uint64_t) { return value(); }
  bool number_float(double, const std::string&) { return value(); }
  bool string(std::string& text) {
    if (depth_ == 1 && name_ == "schema") schema_ = text;
    if (in_provenance() && name_ == "created") summary_.created = text;
    return value();
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_array(std::size_t) { return open(); }
  bool end_array() { return close(); }
  bool start_object(std::size_t) {
    provenance_open_ = provenance_open_ || (depth_ == 1 && name_ == "provenance");
    is_object_ = is_object_ || depth_ == 0;
    return open();
  }
  bool end_object() { return close(); }
  bool key(std::string& name) {
    if (depth_ == 1 || in_provenance()) name_ = name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    error_at_ = position;
    return false;
  }

  // `cut`: the text is the start of a longer one of which `size` bytes were parsed.
  std::optional<DocumentSummary> summary(bool cut, std::size_t size) const {
    const bool valid = complete() || !error_at_ || (cut && *error_at_ >= size);
    if (!is_object_ || !schema_ || !valid || too_deep_) return std::nullopt;
    DocumentSummary found = summary_;
    found.schema = *schema_;
    return found;
  }

 private:
  bool in_provenance() const { return provenance_open_ && depth_ == 2; }
  bool complete() const { return schema_ && provenance_done_; }

  // After a value of the document itself, it may be complete.
  bool value() {
    if (depth_ == 1 && name_ == "provenance") provenance_done_ = true;
    return !(depth_ == 1 && complete());
  }
  bool open() {
    ++depth_;
    too_deep_ = depth_ > input_limits().depth;
    return !too_deep_;
  }
  bool close() {
    --depth_;
    if (depth_ != 1) return true;
    if (provenance_open_) name_ = "provenance";
    provenance_open_ = false;
    return value();
  }

  std::size_t depth_ = 0;
  std::string name_;  // the latest one, of the document or its provenance
  bool is_object_ = false, provenance_open_ = false, provenance_done_ = false, too_deep_ = false;
  std::optional<std::string> schema_;
  DocumentSummary summary_;
  std::optional<std::size_t> error_at_;
};

}  // namespace

std::optional<DocumentSummary> summary_of_document(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::string text(kMaxRead, '\0');
  if (!input) return std::nullopt;
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (input.bad()) return std::nullopt;
  text.resize(static_cast<std::size_t>(input.gcount()));
  const bool cut = text.size() == kMaxRead && input.peek() != std::ifstream::traits_type::eof();
  SummaryParser parser;
  nlohmann::json::sax_parse(text.begin(), text.end(), &parser);
  return parser.summary(cut, text.size());
}

}  // namespace ergon::service
