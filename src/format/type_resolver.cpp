#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "format/metadata_parser.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

namespace {

[[nodiscard]] Primitive primitive_of(std::string_view name) noexcept {
  constexpr std::array<std::pair<std::string_view, Primitive>, 9> names = {{
      {"boolean", Primitive::boolean},
      {"byte", Primitive::byte},
      {"short", Primitive::short_integer},
      {"char", Primitive::character},
      {"int", Primitive::integer},
      {"long", Primitive::long_integer},
      {"float", Primitive::floating},
      {"double", Primitive::double_floating},
      {"java.lang.String", Primitive::string},
  }};
  for (const auto& [text, primitive] : names) {
    if (text == name) return primitive;
  }
  return Primitive::none;
}

[[nodiscard]] ContentType timestamp_content(std::string_view unit) noexcept {
  if (unit == "TICKS") return ContentType::timestamp_ticks;
  if (unit == "SECONDS_SINCE_EPOCH") return ContentType::timestamp_seconds;
  if (unit == "NANOSECONDS_SINCE_EPOCH") return ContentType::timestamp_nanoseconds;
  return ContentType::timestamp_milliseconds;
}

[[nodiscard]] ContentType timespan_content(std::string_view unit) noexcept {
  if (unit == "TICKS") return ContentType::timespan_ticks;
  if (unit == "SECONDS") return ContentType::timespan_seconds;
  if (unit == "MILLISECONDS") return ContentType::timespan_milliseconds;
  if (unit == "MICROSECONDS") return ContentType::timespan_microseconds;
  return ContentType::timespan_nanoseconds;
}

void set_content(Field& field) noexcept {
  bool is_rate = false;
  for (const Annotation& annotation : field.annotations) {
    std::string_view name = annotation.type;
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
    if (name == "Unsigned") field.is_unsigned = true;
    if (name == "Frequency") is_rate = true;
    if (name == "Timestamp") field.content = timestamp_content(annotation.value());
    if (name == "Timespan") field.content = timespan_content(annotation.value());
    if (name == "DataAmount" || name == "MemoryAmount") {
      field.content = annotation.value() == "BITS" ? ContentType::bits : ContentType::bytes;
    }
    if (name == "Percentage") field.content = ContentType::percentage;
    if (name == "MemoryAddress") field.content = ContentType::memory_address;
  }
  if (!is_rate) return;
  if (field.content == ContentType::none) field.content = ContentType::hertz;
  if (field.content == ContentType::bytes) field.content = ContentType::bytes_per_second;
  if (field.content == ContentType::bits) field.content = ContentType::bits_per_second;
}

/// Finds the types whose encoding cannot be known, by following inline fields.
class DecodabilityCheck {
 public:
  explicit DecodabilityCheck(std::vector<Type>& types) : types_(types), users_(types.size()) {
    for (std::size_t i = 0; i < types.size(); ++i) by_id_.emplace(raw(types[i].id), i);
  }

  void run() {
    mark_undeclared();
    mark_endless();
    spread();
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  [[nodiscard]] std::size_t index_of(TypeId id) const {
    const auto found = by_id_.find(raw(id));
    return found == by_id_.end() ? none : found->second;
  }

  void poison(std::size_t type) {
    types_[type].is_decodable = false;
    poisoned_.push_back(type);
  }

  void mark_undeclared() {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      bool is_sound = types_[i].is_decodable;
      for (const Field& field : types_[i].fields) {
        if (field.is_reference) continue;
        const std::size_t target = index_of(field.type);
        const bool is_known = target != none && (types_[target].primitive != Primitive::none ||
                                                 !types_[target].fields.empty());
        if (is_known) users_[target].push_back(i);
        is_sound = is_sound && is_known;
      }
      if (!is_sound) poison(i);
    }
  }

  /// A struct that contains itself inline, other than through an array, never ends: remove types
  /// without open inline structs again and again; what remains lies on or above such a cycle.
  void mark_endless() {
    std::vector<std::size_t> open(types_.size(), 0);
    std::vector<std::vector<std::size_t>> inline_users(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i) {
      for (const Field& field : types_[i].fields) {
        const std::size_t target = index_of(field.type);
        if (field.is_reference || field.is_array || target == none) continue;
        if (types_[target].primitive != Primitive::none) continue;
        ++open[i];
        inline_users[target].push_back(i);
      }
    }
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (open[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      const std::size_t type = ready.back();
      ready.pop_back();
      for (const std::size_t user : inline_users[type]) {
        if (--open[user] == 0) ready.push_back(user);
      }
    }
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (open[i] > 0 && types_[i].is_decodable) poison(i);
    }
  }

  void spread() {
    while (!poisoned_.empty()) {
      const std::size_t type = poisoned_.back();
      poisoned_.pop_back();
      for (const std::size_t user : users_[type]) {
        if (types_[user].is_decodable) poison(user);
      }
    }
  }

  std::vector<Type>& types_;
  SeededMap<std::uint64_t, std::size_t> by_id_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<std::size_t> poisoned_;
};

}  // namespace

void resolve_types(std::vector<Type>& types) {
  for (Type& type : types) {
    if (type.fields.empty() || type.name == "java.lang.String") {
      type.primitive = primitive_of(type.name);
    }
    for (Field& field : type.fields) set_content(field);
  }
  DecodabilityCheck(types).run();
}

}  // namespace jfrtree::internal
