#include "fuzz/onnx_mutator.h"

#include <array>
#include <google/protobuf/descriptor.h>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ergon::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Types of operators, names of attributes, names of dimensions, domains.
constexpr std::array<std::string_view, 78> kWords = {"Add",
                                                     "AveragePool",
                                                     "BatchNormalization",
                                                     "Cast",
                                                     "Clip",
                                                     "Concat",
                                                     "Constant",
                                                     "ConstantOfShape",
                                                     "Conv",
                                                     "ConvTranspose",
                                                     "DequantizeLinear",
                                                     "Div",
                                                     "Dropout",
                                                     "Einsum",
                                                     "Equal",
                                                     "Erf",
                                                     "Expand",
                                                     "Flatten",
                                                     "GRU",
                                                     "Gather",
                                                     "Gemm",
                                                     "GlobalAveragePool",
                                                     "Identity",
                                                     "If",
                                                     "LSTM",
                                                     "LayerNormalization",
                                                     "Loop",
                                                     "MatMul",
                                                     "MatMulInteger",
                                                     "MaxPool",
                                                     "Mul",
                                                     "Pad",
                                                     "Pow",
                                                     "QLinearConv",
                                                     "QuantizeLinear",
                                                     "Range",
                                                     "ReduceMean",
                                                     "Relu",
                                                     "Reshape",
                                                     "Resize",
                                                     "Scan",
                                                     "Shape",
                                                     "Sigmoid",
                                                     "Slice",
                                                     "Softmax",
                                                     "Split",
                                                     "Sqrt",
                                                     "Squeeze",
                                                     "Sub",
                                                     "Tile",
                                                     "Transpose",
                                                     "Unsqueeze",
                                                     "Where",
                                                     "auto_pad",
                                                     "SAME_UPPER",
                                                     "VALID",
                                                     "axes",
                                                     "axis",
                                                     "body",
                                                     "ceil_mode",
                                                     "dilations",
                                                     "equation",
                                                     "group",
                                                     "hidden_size",
                                                     "kernel_shape",
                                                     "keepdims",
                                                     "output_padding",
                                                     "pads",
                                                     "perm",
                                                     "shape",
                                                     "split",
                                                     "strides",
                                                     "to",
                                                     "value",
                                                     "N",
                                                     "ai.onnx",
                                                     "com.microsoft",
                                                     "batch"};

constexpr std::array<std::int64_t, 20> kIntegers = {0,
                                                    1,
                                                    -1,
                                                    2,
                                                    3,
                                                    4,
                                                    7,
                                                    8,
                                                    -2,
                                                    64,
                                                    224,
                                                    1000,
                                                    65536,
                                                    std::int64_t{1} << 31,
                                                    (std::int64_t{1} << 31) - 1,
                                                    std::int64_t{1} << 40,
                                                    std::int64_t{1} << 62,
                                                    -(std::int64_t{1} << 31),
                                                    std::numeric_limits<std::int64_t>::max(),
                                                    std::numeric_limits<std::int64_t>::min()};

// Calls visit(message) for a message and all messages within.
template <typename Visit>
void for_each_message(Message& message, const Visit& visit) {
  visit(message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      for_each_message(*reflection.MutableMessage(&message, field), visit);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      for_each_message(*reflection.MutableRepeatedMessage(&message, field, i), visit);
  }
}

std::vector<Message*> messages_of(Message& model, const google::protobuf::Descriptor* type = nullptr) {
  std::vector<Message*> all;
  for_each_message(model, [&](Message& each) {
    if (type == nullptr || each.GetDescriptor() == type) all.push_back(&each);
  });
  return all;
}

// Names of values connect the nodes, so names of the model are better than others.
std::vector<std::string> texts_of(Message& model) {
  std::vector<std::string> texts = {""};
  for_each_message(model, [&](Message& each) {
    const Reflection& reflection = *each.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(each, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->type() != FieldDescriptor::TYPE_STRING) continue;
      if (!field->is_repeated()) {
        texts.push_back(reflection.GetString(each, field));
      } else {
        for (int i = 0; i < reflection.FieldSize(each, field); ++i)
          texts.push_back(reflection.GetRepeatedString(each, field, i));
      }
    }
  });
  return texts;
}

class ModelMutator {
 public:
  ModelMutator(Message& model, Random& random) : model_(model), random_(random) {}

  void change() {
    std::vector<Message*> all = messages_of(model_);
    Message& message = *pick(all, random_);
    const FieldDescriptor& field = some_field(message);
    if (field.is_repeated()) {
      change_list(message, field);
    } else if (message.GetReflection()->HasField(message, &field) && one_in(random_, 4)) {
      message.GetReflection()->ClearField(&message, &field);
    } else {
      set(message, field, -1);
    }
  }

 private:
  // Mostly one that the message has.
  const FieldDescriptor& some_field(const Message& message) {
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    if (!fields.empty() && !one_in(random_, 4)) return *pick(fields, random_);
    const auto& type = *message.GetDescriptor();
    return *type.field(static_cast<int>(random_.below(static_cast<std::uint64_t>(type.field_count()))));
  }

  void change_list(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    const int size = reflection.FieldSize(message, &field);
    const auto some = [&] { return static_cast<int>(random_.below(static_cast<std::uint64_t>(size))); };
    switch (size == 0 ? 0 : random_.below(6)) {
      case 0:  // one more
        append(message, field);
        return;
      case 1:
        reflection.SwapElements(&message, &field, some(), size - 1);
        reflection.RemoveLast(&message, &field);
        return;
      case 2:
        reflection.SwapElements(&message, &field, some(), some());
        return;
      default:
        set(message, field, some());
    }
  }

  void append(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    const int end = reflection.FieldSize(message, &field);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        reflection.AddMessage(&message, &field);
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        reflection.AddString(&message, &field, "");
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        reflection.AddInt64(&message, &field, 1);
        break;
      case FieldDescriptor::CPPTYPE_INT32:
        reflection.AddInt32(&message, &field, 1);
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        reflection.AddUInt64(&message, &field, 1);
        break;
      case FieldDescriptor::CPPTYPE_FLOAT:
        reflection.AddFloat(&message, &field, 1);
        break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        reflection.AddDouble(&message, &field, 1);
        break;
      default:
        return;  // ONNX has no other lists
    }
    set(message, field, end);
  }

  // Sets a field, or the element at `index` of a list.
  void set(Message& message, const FieldDescriptor& field, int index) {
    const Reflection& reflection = *message.GetReflection();
    const auto assign = [&](auto single, auto element, auto value) {
      if (index < 0) {
        (reflection.*single)(&message, &field, value);
      } else {
        (reflection.*element)(&message, &field, index, value);
      }
    };
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        Message& target = index < 0 ? *reflection.MutableMessage(&message, &field)
                                    : *reflection.MutableRepeatedMessage(&message, &field, index);
        std::vector<Message*> others = messages_of(model_, target.GetDescriptor());
        const std::unique_ptr<Message> copy(target.New());
        copy->CopyFrom(*pick(others, random_));  // which may contain the target
        target.CopyFrom(*copy);
        return;
      }
      case FieldDescriptor::CPPTYPE_STRING:
        return set_text(message, field, index);
      case FieldDescriptor::CPPTYPE_INT64:
        return assign(&Reflection::SetInt64, &Reflection::SetRepeatedInt64, integer());
      case FieldDescriptor::CPPTYPE_INT32:
        return assign(&Reflection::SetInt32, &Reflection::SetRepeatedInt32,
                      static_cast<std::int32_t>(integer()));
      case FieldDescriptor::CPPTYPE_UINT64:
        return assign(&Reflection::SetUInt64, &Reflection::SetRepeatedUInt64,
                      static_cast<std::uint64_t>(integer()));
      case FieldDescriptor::CPPTYPE_FLOAT:
        return assign(&Reflection::SetFloat, &Reflection::SetRepeatedFloat, static_cast<float>(number()));
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return assign(&Reflection::SetDouble, &Reflection::SetRepeatedDouble, number());
      case FieldDescriptor::CPPTYPE_ENUM: {
        const auto& type = *field.enum_type();
        const auto which = random_.below(static_cast<std::uint64_t>(type.value_count()));
        if (index < 0) reflection.SetEnum(&message, &field, type.value(static_cast<int>(which)));
        return;
      }
      default:
        return;  // ONNX has no other types
    }
  }

  void set_text(Message& message, const FieldDescriptor& field, int index) {
    const Reflection& reflection = *message.GetReflection();
    std::string text = index < 0 ? reflection.GetString(message, &field)
                                 : reflection.GetRepeatedString(message, &field, index);
    const bool binary = field.type() == FieldDescriptor::TYPE_BYTES;
    switch (random_.below(binary ? 2 : 8)) {
      case 0:
        text = with_mutated_bytes(text);
        break;
      case 1:
        text = binary ? std::string(8 * random_.below(9), '\0') : std::string(pick(kWords, random_));
        break;
      case 2:
        text = pick(kWords, random_);
        break;
      default: {
        const std::vector<std::string> texts = texts_of(model_);
        text = pick(texts, random_);
      }
    }
    if (index < 0) {
      reflection.SetString(&message, &field, text);
    } else {
      reflection.SetRepeatedString(&message, &field, index, text);
    }
  }

  std::int64_t integer() {
    if (one_in(random_, 8)) return static_cast<std::int64_t>(random_.bits());
    // Small numbers are dimensions, axes and versions; they are more often valid.
    return one_in(random_, 2) ? static_cast<std::int64_t>(random_.below(20)) : pick(kIntegers, random_);
  }

  double number() {
    constexpr std::array<double, 8> kNumbers = {0,
                                                1,
                                                -1,
                                                0.5,
                                                1e30,
                                                -1e30,
                                                std::numeric_limits<double>::infinity(),
                                                std::numeric_limits<double>::quiet_NaN()};
    return pick(kNumbers, random_);
  }

  Message& model_;
  Random& random_;
};

}  // namespace

void mutate_model(Message& model, Random& random) {
  for (int i = number_of_changes(random); i > 0; --i) ModelMutator(model, random).change();
}

void cross_models(Message& model, Message& other, Random& random) {
  std::vector<Message*> donors = messages_of(other);
  const Message& donor = *pick(donors, random);
  const std::vector<Message*> places = messages_of(model, donor.GetDescriptor());
  if (places.empty()) return;
  pick(places, random)->CopyFrom(donor);
}

}  // namespace ergon::fuzz
