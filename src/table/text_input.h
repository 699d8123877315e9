#pragma once

#include <filesystem>
#include <stop_token>
#include <string_view>

#include "base/input_limits.h"
#include "base/result.h"

namespace ergon::table {

// The text of a file in memory, whatever way it got there: a plain file is mapped; a compressed one (.gz,
// .xz, .zst, by content) is expanded; a pipe, or standard input for the path "-", is read to its end.
class TextInput {
 public:
  // Errors: those of check_table_input(), of inflate() and of reading the file; a pipe with more than
  // limits.expanded_bytes.
  static Result<TextInput> open(const std::filesystem::path& path, const std::stop_token& stop = {},
                                const InputLimits& limits = input_limits());

  TextInput(TextInput&& other) noexcept;
  TextInput& operator=(TextInput&& other) = delete;
  ~TextInput();

  std::string_view text() const { return {data_, size_}; }

  // Says that the reader is done with these bytes for now. The pages of a mapped file are given back; they
  // return by themselves when touched again. Safe from any thread.
  void release(std::size_t begin, std::size_t end) const;

 private:
  TextInput() = default;
  static Result<TextInput> map(int fd, std::size_t size);
  static Result<TextInput> read_to_end(int fd, const std::stop_token& stop, const InputLimits& limits);
  Result<> append(std::string_view more);

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t reserved_ = 0;  // bytes of address space behind data_
  bool file_backed_ = false;
};

}  // namespace ergon::table
