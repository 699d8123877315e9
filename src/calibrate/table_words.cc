#include "calibrate/table_words.h"

#include <string>

#include "base/text.h"

namespace ergon::calibrate {

Result<graph::Mode> mode_of_word(std::string_view word) {
  const std::string known = lower(word);
  if (known == "inference" || known == "infer") return graph::Mode::inference;
  if (known == "training" || known == "train") return graph::Mode::training;
  return fail(Errc::invalid_input, "mode \"{}\" is not inference or training (or infer, train)",
              printable(word));
}

Result<device::Precision> precision_of_word(std::string_view word) {
  using device::Precision;
  const std::string known = lower(word);
  if (const auto named = device::precision_named(known)) return *named;
  if (known == "float32") return Precision::fp32;
  if (known == "tf32conv") return Precision::tf32;
  if (known == "bfloat16" || known == "bf16_nhwc") return Precision::bf16;
  if (known == "float16") return Precision::fp16;
  return fail(Errc::invalid_input,
              "dtype \"{}\" is not {} (or float32, bfloat16, float16, tf32conv, bf16_nhwc)", printable(word),
              device::kPrecisionList);
}

}  // namespace ergon::calibrate
