#include "profile/event_columns.hpp"

#include <algorithm>
#include <utility>

#include "format/byte_width.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

namespace {

[[nodiscard]] bool is_time(ContentType content) noexcept {
  return content >= ContentType::timestamp_ticks && content <= ContentType::timestamp_nanoseconds;
}

[[nodiscard]] bool is_span(ContentType content) noexcept {
  return content >= ContentType::timespan_ticks && content <= ContentType::timespan_nanoseconds;
}

[[nodiscard]] ColumnType integer_type(const FieldPlan& plan) noexcept {
  if (is_time(plan.content)) return ColumnType::timestamp;
  if (is_span(plan.content)) return ColumnType::duration;
  switch (plan.width) {
    case 1:
      return plan.is_signed ? ColumnType::int8 : ColumnType::uint8;
    case 2:
      return plan.is_signed ? ColumnType::int16 : ColumnType::uint16;
    case 4:
      return plan.is_signed ? ColumnType::int32 : ColumnType::uint32;
    default:
      return plan.is_signed ? ColumnType::int64 : ColumnType::uint64;
  }
}

[[nodiscard]] std::string joined(const std::vector<std::string>& path) {
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : ".") + part;
  return name;
}

/// Builds the plan of one event type. Depth is bounded by `max_column_depth`.
class Planner {
 public:
  Planner(const Metadata& metadata, bool stacks, std::uint32_t first_cache)
      : metadata_(metadata), stacks_(stacks), next_cache_(first_cache) {}

  void add_fields(StructPlan& plan, const Type& type) {
    open_.push_back(&type);
    const bool is_whole = type.is_simple && open_.size() > 1;
    for (const Field& field : type.fields) add_field(plan, field, is_whole);
    open_.pop_back();
  }

  [[nodiscard]] std::uint32_t next_cache() const noexcept { return next_cache_; }
  [[nodiscard]] bool has_cut_columns() const noexcept { return has_cut_columns_; }

 private:
  /// The field of a simple type stands for the whole value: it adds nothing to the path.
  void add_field(StructPlan& plan, const Field& field, bool is_whole) {
    FieldPlan step;
    step.field = &field;
    step.type = metadata_.find(field.type);
    step.is_key = field.is_reference;
    step.first_cell = static_cast<std::uint32_t>(plan.columns.size());
    std::vector<EventColumn> columns;
    if (step.type != nullptr && column_count_ < max_columns) {
      columns = field.is_array ? plan_list(step, field) : plan_value(step, field);
    }
    if (columns.empty()) {
      step.step = ReadStep::skip;
      step.inner.reset();
    }
    for (EventColumn& column : columns) {
      column.is_constant = column.is_constant || step.is_key;
      if (is_whole) continue;
      // What a stack trace has beside its frames stands beside them.
      const bool is_beside = step.step == ReadStep::stack && !column.path.empty();
      if (is_beside) column.path = {field.name + "." + column.path.front()};
      if (!is_beside) column.path.insert(column.path.begin(), field.name);
      if (column.label.empty()) column.label = field.label();
    }
    step.cell_count = static_cast<std::uint32_t>(columns.size());
    std::move(columns.begin(), columns.end(), std::back_inserter(plan.columns));
    plan.fields.push_back(std::move(step));
  }

  /// Plans a value and returns its columns, with paths below the field; none: it is skipped.
  [[nodiscard]] std::vector<EventColumn> plan_value(FieldPlan& step, const Field& field) {
    const Type& type = *step.type;
    if (step.is_key) step.cache = next_cache_++;
    const std::string name = normalized_type_name(type.name);
    if (name == "jdk.types.StackTrace") return plan_stack(step);
    if (step.is_key && name == "java.lang.Class" && type.field_index("name") >= 0) {
      step.step = ReadStep::class_name;
      return one_column(ColumnType::text, ContentType::none);
    }
    if (type.primitive != Primitive::none && !step.is_key) return plan_primitive(step, field);
    return plan_struct(step, field);
  }

  [[nodiscard]] std::vector<EventColumn> plan_stack(FieldPlan& step) {
    if (!stacks_ || is_below_shared_ || (is_in_list_ && step.is_key)) return {};
    step.step = ReadStep::stack;
    auto columns = one_column(ColumnType::stack, ContentType::none);
    columns.emplace_back();
    columns.back().path = {"truncated"};
    columns.back().type = ColumnType::boolean;
    ++column_count_;
    return columns;
  }

  [[nodiscard]] std::vector<EventColumn> plan_primitive(FieldPlan& step, const Field& field) {
    step.content = field.content;
    switch (step.type->primitive) {
      case Primitive::boolean:
        step.step = ReadStep::boolean;
        return one_column(ColumnType::boolean, field.content);
      case Primitive::floating:
        step.step = ReadStep::float32;
        return one_column(ColumnType::float32, field.content);
      case Primitive::double_floating:
        step.step = ReadStep::float64;
        return one_column(ColumnType::float64, field.content);
      case Primitive::string:
        step.step = ReadStep::text;
        return one_column(ColumnType::text, field.content);
      case Primitive::character:
        step.step = ReadStep::character;
        return one_column(ColumnType::character, field.content);
      default:
        step.step = ReadStep::integer;
        step.width = byte_width(step.type->primitive);
        step.is_signed = !field.is_unsigned;
        return one_column(integer_type(step), field.content);
    }
  }

  [[nodiscard]] std::vector<EventColumn> plan_struct(FieldPlan& step, const Field& field) {
    const Type& type = *step.type;
    const bool is_cut = std::find(open_.begin(), open_.end(), &type) != open_.end() ||
                        open_.size() >= max_column_depth + (type.is_simple ? 1 : 0) ||
                        !type.is_decodable;
    if (is_cut) return {};
    step.step = step.is_key ? ReadStep::constant : ReadStep::structure;
    step.inner = std::make_unique<StructPlan>();
    if (type.primitive == Primitive::none) {
      const bool was_below_shared = is_below_shared_;
      is_below_shared_ = is_below_shared_ || (is_in_list_ && step.is_key);
      add_fields(*step.inner, type);
      is_below_shared_ = was_below_shared;
    } else {
      FieldPlan value;
      value.field = &field;
      value.type = &type;
      step.inner->columns = plan_primitive(value, field);
      value.cell_count = 1;
      step.inner->fields.push_back(std::move(value));
    }
    return step.inner->columns;
  }

  [[nodiscard]] std::vector<EventColumn> plan_list(FieldPlan& step, const Field& field) {
    if (is_below_shared_) return {};
    step.step = ReadStep::list;
    step.inner = std::make_unique<StructPlan>();
    FieldPlan element;
    element.field = &field;
    element.type = step.type;
    element.is_key = step.is_key;
    const bool was_in_list = std::exchange(is_in_list_, true);
    step.inner->columns = plan_value(element, field);
    is_in_list_ = was_in_list;
    if (step.inner->columns.empty()) return {};
    element.cell_count = static_cast<std::uint32_t>(step.inner->columns.size());
    step.inner->fields.push_back(std::move(element));
    auto columns = one_column(ColumnType::list, field.content);
    columns.front().elements = step.inner->columns;
    for (EventColumn& column : columns.front().elements) {
      column.name = joined(column.path);
      column.is_constant = column.is_constant || step.is_key;
    }
    return columns;
  }

  [[nodiscard]] std::vector<EventColumn> one_column(ColumnType type, ContentType content) {
    std::vector<EventColumn> columns(1);
    columns.front().type = type;
    columns.front().content = content;
    ++column_count_;
    has_cut_columns_ = has_cut_columns_ || column_count_ >= max_columns;
    return columns;
  }

  const Metadata& metadata_;
  bool stacks_;
  std::uint32_t next_cache_;
  std::vector<const Type*> open_;  // the structs around the field
  std::size_t column_count_ = 0;
  bool is_in_list_ = false;
  // Below a constant that a list refers to. Lists and stacks there would make a few bytes into an
  // output without bounds: a thousand keys of a constant that holds a thousand keys, and so on.
  bool is_below_shared_ = false;
  bool has_cut_columns_ = false;
};

/// Names the columns by their paths; names need not be unique in a recording.
void name_columns(std::vector<EventColumn>& columns) {
  SeededSet<std::string> seen;
  for (EventColumn& column : columns) {
    const std::string name = joined(column.path);
    column.name = name;
    for (int number = 2; !seen.insert(column.name).second; ++number) {
      column.name = name + "#" + std::to_string(number);
    }
  }
}

void skip_unwanted(StructPlan& plan, std::span<const std::string> wanted, int start_cell) {
  for (FieldPlan& field : plan.fields) {
    const auto columns = std::span(plan.columns).subspan(field.first_cell, field.cell_count);
    const bool is_start = start_cell >= 0 && field.cell_count == 1 &&
                          field.first_cell == static_cast<std::uint32_t>(start_cell);
    const bool is_wanted =
        is_start || std::any_of(columns.begin(), columns.end(), [&](const EventColumn& column) {
          return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
            return names_column(name, column.name);
          });
        });
    if (!is_wanted) field.step = ReadStep::skip;
  }
}

}  // namespace

bool names_column(std::string_view wanted, std::string_view column) noexcept {
  return column.starts_with(wanted) &&
         (column.size() == wanted.size() || column[wanted.size()] == '.');
}

EventTypePlan plan_columns(const Metadata& metadata, const Type& type, bool stacks,
                           std::span<const std::string> wanted, std::uint32_t first_cache) {
  EventTypePlan result;
  Planner planner(metadata, stacks, first_cache);
  planner.add_fields(result.plan, type);
  result.caches = planner.next_cache() - first_cache;
  result.has_cut_columns = planner.has_cut_columns();
  name_columns(result.plan.columns);
  for (std::size_t i = 0; i < result.plan.columns.size(); ++i) {
    const EventColumn& column = result.plan.columns[i];
    if (column.name == "startTime" && column.type == ColumnType::timestamp) {
      result.start_cell = static_cast<int>(i);
    }
  }
  if (!wanted.empty()) skip_unwanted(result.plan, wanted, result.start_cell);
  return result;
}

}  // namespace jfrtree::internal
