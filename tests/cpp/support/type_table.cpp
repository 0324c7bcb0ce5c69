#include "support/type_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace jfrtree::test {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    const std::string_view part = trim(text.substr(0, end));
    if (!part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

FieldDeclaration parse_field(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() < 2) throw std::invalid_argument("field: " + std::string(text));
  FieldDeclaration field;
  std::string_view type = words[0];
  if (ends_with(type, "[]")) {
    field.array = true;
    type.remove_suffix(2);
  }
  if (ends_with(type, "*")) {
    field.constant_pool = true;
    type.remove_suffix(1);
  }
  field.type = type;
  field.name = words[1];
  for (std::size_t i = 2; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word.front() != '@') throw std::invalid_argument("annotation: " + std::string(word));
    word.remove_prefix(1);
    const std::size_t open = word.find('(');
    const std::string name = "jdk.jfr." + std::string(word.substr(0, open));
    const bool has_value = open != std::string_view::npos;
    field.annotations.emplace_back(
        name, has_value ? std::string(word.substr(open + 1, word.size() - open - 2)) : "");
  }
  return field;
}

Element class_of(const TypeDeclaration& type) {
  switch (type.kind) {
    case TypeKind::simple:
      return simple_class(type.name, type.id);
    case TypeKind::event:
      return event_class(type.name, type.id);
    case TypeKind::annotation:
      return annotation_class(type.name, type.id);
    case TypeKind::plain:
      break;
  }
  return class_element(type.name, type.id);
}

std::invalid_argument wrong_value(const FieldDeclaration& field) {
  return std::invalid_argument("value of field " + field.name + " is not a " + field.type);
}

}  // namespace

std::int64_t FieldValue::integer(const FieldDeclaration& field) const {
  if (std::holds_alternative<std::monostate>(value_)) return 0;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  throw wrong_value(field);
}

double FieldValue::number(const FieldDeclaration& field) const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  return static_cast<double>(integer(field));
}

void FieldValue::encode(const FieldDeclaration& field, StringEncoding strings,
                        ByteWriter& writer) const {
  if (const auto* encoded = std::get_if<Bytes>(&value_)) {
    writer.raw(*encoded);
  } else if (field.array) {
    if (!std::holds_alternative<std::monostate>(value_)) throw wrong_value(field);
    writer.count(0);
  } else if (field.constant_pool) {
    writer.key(static_cast<std::uint64_t>(integer(field)));
  } else if (field.type == "String" || field.type == "java.lang.String") {
    if (const auto* pooled = std::get_if<Pooled>(&value_)) {
      writer.pooled_string(pooled->key);
    } else if (const auto* text = std::get_if<std::string>(&value_)) {
      writer.string(*text, text->empty() ? StringEncoding::empty : strings);
    } else if (std::holds_alternative<std::monostate>(value_)) {
      writer.null_string();
    } else {
      throw wrong_value(field);
    }
  } else if (field.type == "boolean") {
    writer.boolean_value(integer(field) != 0);
  } else if (field.type == "byte") {
    writer.byte_value(static_cast<std::int8_t>(integer(field)));
  } else if (field.type == "short") {
    writer.short_value(static_cast<std::int16_t>(integer(field)));
  } else if (field.type == "char") {
    writer.char_value(static_cast<char16_t>(integer(field)));
  } else if (field.type == "int") {
    writer.int_value(static_cast<std::int32_t>(integer(field)));
  } else if (field.type == "long") {
    writer.long_value(integer(field));
  } else if (field.type == "float") {
    writer.float_value(static_cast<float>(number(field)));
  } else if (field.type == "double") {
    writer.double_value(number(field));
  } else {
    throw wrong_value(field);
  }
}

TypeTable& TypeTable::declare(TypeKind kind, const std::string& name, std::uint64_t id,
                              std::string_view fields) {
  TypeDeclaration type{name, id, kind};
  for (const std::string_view text : split(fields, ';')) type.fields.push_back(parse_field(text));
  by_name_.try_emplace(name, types_.size());
  if (kind != TypeKind::annotation) {
    by_last_part_.try_emplace(name.substr(name.rfind('.') + 1), types_.size());
  }
  types_.push_back(std::move(type));
  return *this;
}

bool TypeTable::contains(std::string_view name) const {
  return by_name_.find(name) != by_name_.end();
}

const TypeDeclaration& TypeTable::type(std::string_view name) const {
  const auto full = by_name_.find(name);
  if (full != by_name_.end()) return types_[full->second];
  const auto last_part = by_last_part_.find(name);
  if (last_part != by_last_part_.end()) return types_[last_part->second];
  throw std::out_of_range("no type " + std::string(name));
}

ByteWriter TypeTable::encode(std::string_view type_name, const std::vector<NamedValue>& values,
                             StringEncoding strings, IntegerEncoding integers) const {
  const TypeDeclaration& declaration = type(type_name);
  for (const NamedValue& value : values) {
    const bool known =
        std::any_of(declaration.fields.begin(), declaration.fields.end(),
                    [&](const FieldDeclaration& field) { return field.name == value.first; });
    if (!known) {
      throw std::invalid_argument(declaration.name + " has no field " + std::string(value.first));
    }
  }
  ByteWriter writer(integers);
  const FieldValue missing(nullptr);
  for (const FieldDeclaration& field : declaration.fields) {
    const auto given = std::find_if(values.begin(), values.end(), [&](const NamedValue& value) {
      return value.first == field.name;
    });
    (given == values.end() ? missing : given->second).encode(field, strings, writer);
  }
  return writer;
}

Element TypeTable::metadata() const {
  std::vector<Element> classes;
  for (const TypeDeclaration& declaration : types_) {
    Element element = class_of(declaration);
    for (const FieldDeclaration& declared : declaration.fields) {
      Element member = field(declared.name, id_of(declared.type),
                             {.constant_pool = declared.constant_pool, .array = declared.array});
      for (const auto& [name, value] : declared.annotations) {
        member.child(value.empty() ? annotation(id_of(name)) : annotation(id_of(name), value));
      }
      element.child(std::move(member));
    }
    classes.push_back(std::move(element));
  }
  return metadata_root(std::move(classes), region("en_US", "0"));
}

}  // namespace jfrtree::test
