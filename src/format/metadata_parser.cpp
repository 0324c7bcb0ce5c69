#include "format/metadata_parser.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "format/byte_reader.hpp"
#include "format/text.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

namespace {

using Attributes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

[[nodiscard]] std::optional<std::int64_t> to_number(std::string_view text) noexcept {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// An annotation element before the names of annotation types are known.
struct PendingAnnotation {
  std::uint32_t type_index;  // of the class it belongs to
  std::int32_t field_index;  // of its field, -1: of the class
  std::int64_t annotation_class;
  Annotation annotation;
};

enum class Context : std::uint8_t { other, type, field };

/// One element whose children are being read.
struct OpenElement {
  std::uint64_t children_left;
  Context context;
};

class Parser {
 public:
  Parser(std::span<const std::byte> payload, bool has_compressed_integers, const Limits& limits)
      : reader_(payload, has_compressed_integers), limits_(limits) {}

  ParsedMetadata parse() {
    reader_.integer(8);  // start time
    reader_.integer(8);  // duration
    reader_.integer(8);  // metadata id
    if (!read_strings() || !read_elements()) {
      if (error_.empty()) error_ = "the metadata event ends in the middle";
      return {nullptr, error_, is_limit_, 0, 0};
    }
    attach_annotations();
    if (text_bytes_ > max_text_bytes()) {
      return {nullptr, limit_text("metadata_elements"), true, 0, 0};
    }
    resolve_types(types_);
    ParsedMetadata result;
    for (const Type& type : types_) result.undecodable_types += type.is_decodable ? 0U : 1U;
    result.duplicate_types = duplicates_;
    result.metadata = std::make_shared<const Metadata>(std::move(types_), gmt_offset_ms_);
    return result;
  }

 private:
  bool fail(std::string message, bool is_limit = false) {
    error_ = std::move(message);
    is_limit_ = is_limit;
    return false;
  }

  bool read_strings() {
    const std::uint64_t count = reader_.count();
    if (count > reader_.remaining()) {
      return fail("the metadata claims " + std::to_string(count) +
                  " strings, more than its bytes can hold");
    }
    if (count > limits_.metadata_elements) return fail(limit_text("metadata_elements"), true);
    strings_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const StringValue string = read_string(reader_);
      if (reader_.failed()) return fail("a string of the metadata cannot be decoded");
      if (std::max<std::uint64_t>(string.bytes.size(), string.units) > limits_.string_bytes) {
        return fail(limit_text("string_bytes"), true);
      }
      append_string(strings_.emplace_back(), string, reader_.has_compressed_integers(),
                    limits_.string_bytes);
    }
    return true;
  }

  static std::string limit_text(std::string_view name) {
    return "the metadata exceeds the limit " + std::string(name) + "; raise it with --limit " +
           std::string(name) + "=N";
  }

  bool read_elements() {
    open_.push_back({1, Context::other});
    for (std::uint64_t elements = 0; !open_.empty();) {
      if (open_.back().children_left == 0) {
        open_.pop_back();
        continue;
      }
      --open_.back().children_left;
      if (++elements > limits_.metadata_elements)
        return fail(limit_text("metadata_elements"), true);
      if (!read_element()) return false;
      if (text_bytes_ > max_text_bytes()) return fail(limit_text("metadata_elements"), true);
    }
    return true;
  }

  /// Elements name strings by number, so that few bytes can ask for many copies of a long one. The
  /// texts of real metadata have less than 8 bytes an element.
  [[nodiscard]] std::uint64_t max_text_bytes() const noexcept {
    constexpr std::uint64_t bytes_per_element = 16;
    return limits_.metadata_elements * bytes_per_element;
  }
  /// A copy of a text, or nothing when there are too many of them.
  [[nodiscard]] std::string copy(std::string_view text) {
    text_bytes_ += text.size();
    return text_bytes_ > max_text_bytes() ? std::string() : std::string(text);
  }

  bool read_element() {
    const std::uint64_t name = reader_.count();
    const std::uint64_t attributes = reader_.count();
    if (attributes > reader_.remaining()) return fail("an element claims too many attributes");
    attributes_.clear();
    for (std::uint64_t i = 0; i < attributes; ++i) {
      const std::uint64_t key = reader_.count();
      const std::uint64_t value = reader_.count();
      if (key >= strings_.size() || value >= strings_.size()) {
        return fail("an element refers to a string that is not there");
      }
      attributes_.emplace_back(static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(value));
    }
    const std::uint64_t children = reader_.count();
    if (reader_.failed() || name >= strings_.size()) {
      return fail("an element of the metadata cannot be decoded");
    }
    if (children > reader_.remaining()) return fail("an element claims too many children");
    const Context context = begin_element(strings_[name]);
    if (children == 0) return true;
    if (open_.size() >= limits_.metadata_depth) return fail(limit_text("metadata_depth"), true);
    open_.push_back({children, context});
    return true;
  }

  Context begin_element(std::string_view name) {
    const Context parent = open_.back().context;
    if (name == "class") return begin_type();
    if (name == "field" && parent == Context::type) return begin_field();
    if (name == "annotation" && parent != Context::other) add_annotation(parent);
    if (name == "region") gmt_offset_ms_ = to_number(attribute("gmtOffset")).value_or(0);
    return Context::other;
  }

  Context begin_type() {
    const auto id = to_number(attribute("id"));
    if (!id) return Context::other;
    if (!ids_.insert(*id).second) {
      ++duplicates_;
      return Context::other;
    }
    Type& type = types_.emplace_back();
    type.id = TypeId{static_cast<std::uint64_t>(*id)};
    type.name = copy(attribute("name"));
    type.super_type = copy(attribute("superType"));
    if (type.super_type == "com.oracle.jfr.Event") type.super_type = "jdk.jfr.Event";
    type.is_simple = has_attribute("simpleType");
    return Context::type;
  }

  Context begin_field() {
    Field& field = types_.back().fields.emplace_back();
    field.name = copy(attribute("name"));
    const auto type = to_number(attribute("class"));
    const auto dimension = to_number(attribute("dimension"));
    if (!type || (has_attribute("dimension") && !dimension)) types_.back().is_decodable = false;
    field.type = TypeId{static_cast<std::uint64_t>(type.value_or(-1))};
    field.is_array = dimension.value_or(0) != 0;
    field.is_reference = has_attribute("constantPool");
    return Context::field;
  }

  void add_annotation(Context parent) {
    PendingAnnotation pending;
    pending.type_index = static_cast<std::uint32_t>(types_.size() - 1);
    pending.field_index =
        parent == Context::field ? static_cast<std::int32_t>(types_.back().fields.size() - 1) : -1;
    pending.annotation_class = to_number(attribute("class")).value_or(-1);
    for (const auto& [key, value] : attributes_) {
      if (strings_[key] != "class") {
        pending.annotation.values.emplace_back(copy(strings_[key]), copy(strings_[value]));
      }
    }
    annotations_.push_back(std::move(pending));
  }

  void attach_annotations() {
    SeededMap<std::int64_t, const std::string*> names;
    for (const Type& type : types_) {
      names.emplace(static_cast<std::int64_t>(raw(type.id)), &type.name);
    }
    for (PendingAnnotation& pending : annotations_) {
      const auto found = names.find(pending.annotation_class);
      if (found == names.end()) continue;
      pending.annotation.type = copy(*found->second);
      Type& type = types_[pending.type_index];
      auto& target = pending.field_index < 0
                         ? type.annotations
                         : type.fields[static_cast<std::size_t>(pending.field_index)].annotations;
      target.push_back(std::move(pending.annotation));
    }
  }

  [[nodiscard]] bool has_attribute(std::string_view key) const noexcept {
    for (const auto& [name, value] : attributes_) {
      if (strings_[name] == key) return true;
    }
    return false;
  }
  [[nodiscard]] std::string_view attribute(std::string_view key) const noexcept {
    for (const auto& [name, value] : attributes_) {
      if (strings_[name] == key) return strings_[value];
    }
    return {};
  }

  ByteReader reader_;
  const Limits& limits_;
  std::vector<std::string> strings_;
  std::vector<OpenElement> open_;
  Attributes attributes_;
  std::vector<Type> types_;
  std::vector<PendingAnnotation> annotations_;
  SeededSet<std::int64_t> ids_;
  std::int64_t gmt_offset_ms_ = 0;
  std::size_t duplicates_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::string error_;
  bool is_limit_ = false;
};

}  // namespace

ParsedMetadata parse_metadata(std::span<const std::byte> payload, bool has_compressed_integers,
                              const Limits& limits) {
  return Parser(payload, has_compressed_integers, limits).parse();
}

}  // namespace jfrtree::internal
