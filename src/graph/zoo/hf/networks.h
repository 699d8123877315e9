#pragma once

#include "graph/zoo/entry.h"

namespace ergon::graph::zoo::hf {

Result<Network> bert_base(const InputSize& input);   // BertModel with pooler
Result<Network> distilbert(const InputSize& input);  // DistilBertModel
Result<Network> gpt2(const InputSize& input);        // GPT2Model, without head
// The dimensions of Llama 3.2 1B: grouped queries, rotary positions, gated MLP, a head tied to the embedding.
Result<Network> llama_1b_like(const InputSize& input);

}  // namespace ergon::graph::zoo::hf
