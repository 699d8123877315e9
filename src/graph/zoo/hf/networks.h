#pragma once

#include "graph/zoo/entry.h"

namespace ergon::graph::zoo::hf {

Result<Network> bert_base(const Choice& choice);   // BertModel with pooler
Result<Network> distilbert(const Choice& choice);  // DistilBertModel
Result<Network> gpt2(const Choice& choice);        // GPT2Model, without a head
// The dimensions of Llama 3.2 1B: grouped queries, rotary positions, gated MLP, a head tied to the embedding.
Result<Network> llama_1b_like(const Choice& choice);

}  // namespace ergon::graph::zoo::hf
