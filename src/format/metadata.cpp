#include <jfrtree/metadata.hpp>

#include <algorithm>

namespace jfrtree {

namespace {

[[nodiscard]] std::string_view annotation_value(const std::vector<Annotation>& annotations,
                                                std::string_view type) noexcept {
  for (const Annotation& annotation : annotations) {
    if (annotation.type == type) return annotation.value();
  }
  return {};
}

}  // namespace

std::string_view Annotation::value(std::string_view name) const noexcept {
  for (const auto& [key, text] : values) {
    if (key == name) return text;
  }
  return {};
}

std::string_view Field::label() const noexcept {
  return annotation_value(annotations, "jdk.jfr.Label");
}

int Type::field_index(std::string_view field_name) const noexcept {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == field_name) return static_cast<int>(i);
  }
  return -1;
}

std::string_view Type::label() const noexcept {
  return annotation_value(annotations, "jdk.jfr.Label");
}

std::string normalized_type_name(std::string_view name) {
  constexpr std::string_view old_event = "com.oracle.jdk.";
  constexpr std::string_view old_type = "com.oracle.jfr.types.";
  if (name.starts_with(old_event)) return "jdk." + std::string(name.substr(old_event.size()));
  if (name.starts_with(old_type)) return "jdk.types." + std::string(name.substr(old_type.size()));
  return std::string(name);
}

Metadata::Metadata(std::vector<Type> types, std::int64_t gmt_offset_ms)
    : types_(std::move(types)), gmt_offset_ms_(gmt_offset_ms) {
  by_id_.reserve(types_.size());
  for (std::uint32_t i = 0; i < types_.size(); ++i) {
    by_id_.emplace_back(types_[i].id, i);
    by_name_.emplace(normalized_type_name(types_[i].name), i);
  }
  std::sort(by_id_.begin(), by_id_.end());
}

const Type* Metadata::find(TypeId id) const noexcept {
  const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), std::pair(id, 0U));
  const bool is_declared = found != by_id_.end() && found->first == id;
  return is_declared ? &types_[found->second] : nullptr;
}

const Type* Metadata::find(std::string_view name) const noexcept {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) found = by_name_.find(normalized_type_name(name));
  return found == by_name_.end() ? nullptr : &types_[found->second];
}

}  // namespace jfrtree
