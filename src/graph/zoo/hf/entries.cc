// Language models with the names and structure of Hugging Face transformers.

#include "graph/zoo/hf/networks.h"

namespace ergon::graph::zoo {

std::vector<Entry> hf_entries() {
  return {
      {"hf", "bert_base", {0, 128}, hf::bert_base},
      {"hf", "distilbert", {0, 128}, hf::distilbert},
      {"hf", "gpt2", {0, 128}, hf::gpt2},
      {"hf", "llama_1b_like", {0, 128}, hf::llama_1b_like},
  };
}

}  // namespace ergon::graph::zoo
