#pragma once

#include <string>

#include "graph/builder.h"

namespace ergon::graph::zoo::hf {

// Modules of Hugging Face transformers.
class Layers {
 public:
  Layers(const std::string& name, std::int64_t sequence, std::int64_t max_sequence)
      : build_("hf", name), sequence_(sequence) {
    if (sequence > max_sequence) {
      build_.reject(
          fail(Errc::invalid_input, "{} tokens exceed the maximum sequence of {}", sequence, max_sequence));
    }
  }

  Tensor tokens(const std::string& name) {
    return build_.input(name, "input", Shape{Dim::batch(), {sequence_}}, ElementType::int64);
  }
  Tensor embedding(Tensor ids, std::int64_t rows, std::int64_t width, const std::string& name) {
    return build_.add(name, "Embedding", Embedding{rows, width}, {ids});
  }
  // Position embedding: the first rows of a table, equal for all samples.
  Tensor positions(std::int64_t rows, std::int64_t width, const std::string& name) {
    return build_.add(name, "Embedding", Parameter{Shape{{rows}, {width}}, Shape{{sequence_}, {width}}}, {});
  }
  Tensor linear(Tensor x, std::int64_t out, const std::string& name, bool bias = true,
                std::string_view type = "Linear") {
    return build_.add(name, type, Dense{out, bias}, {x});
  }
  Tensor layer_norm(Tensor x, const std::string& name) {
    return build_.add(name, "LayerNorm", LayerNorm{}, {x});
  }
  Tensor act(Tensor x, Function function, std::string_view type, const std::string& name) {
    return build_.add(name, type, Elementwise{function}, {x});
  }
  Tensor dropout(Tensor x, const std::string& name) { return build_.add(name, "Dropout", Dropout{}, {x}); }
  Tensor add(Tensor a, Tensor b) {
    return build_.add(build_.numbered("add"), "add", Arithmetic{Combine::add}, {a, b});
  }

  Builder& build() { return build_; }
  std::int64_t sequence() const { return sequence_; }
  Result<Network> finish(Tensor output) { return build_.finish({output}); }

 private:
  Builder build_;
  std::int64_t sequence_;
};

}  // namespace ergon::graph::zoo::hf
