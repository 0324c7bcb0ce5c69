#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "export/arrow/table.hpp"

namespace jfrtree::internal::arrow {

namespace {

/// What an exported schema keeps alive. Children are released one by one: a consumer may have moved
/// some out.
struct SchemaMemory {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};
};

struct ArrayMemory {
  ColumnPointer column;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

template <typename Memory, typename Struct>
void release(Struct* exported) {
  const auto release_one = [](Struct* part) {
    if (part->release != nullptr) part->release(part);
  };
  for (std::int64_t i = 0; i < exported->n_children; ++i) release_one(exported->children[i]);
  if (exported->dictionary != nullptr) release_one(exported->dictionary);
  delete static_cast<Memory*>(exported->private_data);
  exported->private_data = nullptr;
  exported->release = nullptr;
}

template <typename Struct>
[[nodiscard]] std::vector<Struct*> pointers_to(std::vector<Struct>& structs) {
  std::vector<Struct*> pointers;
  pointers.reserve(structs.size());
  for (Struct& one : structs) pointers.push_back(&one);
  return pointers;
}

}  // namespace

const std::byte* empty_buffer() noexcept {
  alignas(buffer_alignment) static constexpr std::array<std::byte, buffer_alignment> zeros{};
  return zeros.data();
}

std::string encode_metadata(const FieldMetadata& metadata) {
  std::string encoded;
  const auto append_number = [&encoded](std::size_t number) {
    const auto as_int = static_cast<std::int32_t>(number);
    encoded.append(reinterpret_cast<const char*>(&as_int), sizeof(as_int));
  };
  if (metadata.empty()) return encoded;
  append_number(metadata.size());
  for (const auto& [key, value] : metadata) {
    append_number(key.size());
    encoded += key;
    append_number(value.size());
    encoded += value;
  }
  return encoded;
}

void export_field(const Field& field, ArrowSchema* schema) {
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = field.format;
  // A C string ends at the first NUL.
  memory->name = field.name.substr(0, field.name.find('\0'));
  memory->metadata = encode_metadata(field.metadata);
  memory->children.resize(field.children.size());
  memory->child_pointers = pointers_to(memory->children);
  *schema = {};
  schema->format = memory->format.c_str();
  schema->name = memory->name.c_str();
  schema->metadata = memory->metadata.empty() ? nullptr : memory->metadata.data();
  schema->flags = field.is_nullable ? ARROW_FLAG_NULLABLE : 0;
  schema->n_children = static_cast<std::int64_t>(field.children.size());
  schema->children = memory->child_pointers.empty() ? nullptr : memory->child_pointers.data();
  schema->dictionary = field.dictionary ? &memory->dictionary : nullptr;
  schema->release = release<SchemaMemory, ArrowSchema>;
  SchemaMemory& owned = *memory;
  schema->private_data = memory.release();
  try {
    for (std::size_t i = 0; i < field.children.size(); ++i) {
      export_field(field.children[i], &owned.children[i]);
    }
    if (field.dictionary) export_field(*field.dictionary, &owned.dictionary);
  } catch (...) {
    schema->release(schema);
    throw;
  }
}

void export_column(ColumnPointer column, ArrowArray* array) {
  auto memory = std::make_unique<ArrayMemory>();
  for (std::size_t i = 0; i < column->buffers.size(); ++i) {
    const Buffer& buffer = column->buffers[i];
    const bool is_without_nulls = i == 0 && column->null_count == 0;
    memory->buffers.push_back(is_without_nulls                  ? nullptr
                              : buffer.bytes && buffer.size > 0 ? buffer.bytes.get()
                                                                : empty_buffer());
  }
  memory->children.resize(column->children.size());
  memory->child_pointers = pointers_to(memory->children);
  *array = {};
  array->length = column->length;
  array->null_count = column->null_count;
  array->n_buffers = static_cast<std::int64_t>(memory->buffers.size());
  array->n_children = static_cast<std::int64_t>(memory->children.size());
  array->buffers = memory->buffers.empty() ? nullptr : memory->buffers.data();
  array->children = memory->child_pointers.empty() ? nullptr : memory->child_pointers.data();
  array->dictionary = column->dictionary ? &memory->dictionary : nullptr;
  array->release = release<ArrayMemory, ArrowArray>;
  memory->column = std::move(column);
  ArrayMemory& owned = *memory;
  array->private_data = memory.release();
  try {
    for (std::size_t i = 0; i < owned.children.size(); ++i) {
      export_column(owned.column->children[i], &owned.children[i]);
    }
    if (owned.column->dictionary) export_column(owned.column->dictionary, &owned.dictionary);
  } catch (...) {
    array->release(array);
    throw;
  }
}

}  // namespace jfrtree::internal::arrow
