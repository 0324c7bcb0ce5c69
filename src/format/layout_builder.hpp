#pragma once

#include <cstdint>
#include <vector>

#include "format/layout.hpp"

namespace jfrtree::internal {

/// Compiles types to flat decode programs. Inline structs are flattened; an array of a struct whose
/// program is one step becomes a step itself, any other refers to the struct's program.
class LayoutBuilder {
 public:
  /// Builds upon layouts that are complete.
  explicit LayoutBuilder(const Layouts& layouts);

  /// Compiles the skip programs of all types of layouts that are new.
  static void build_all(Layouts& layouts);

  /// Appends the steps that skip a field. False when the program grows too large.
  [[nodiscard]] bool append_field(DecodeProgram& program, const Field& field);

  /// Appends the step that takes a scalar field into a slot; false when it is no scalar.
  [[nodiscard]] bool append_take(DecodeProgram& program, const Field& field, std::uint16_t slot);

  /// Turns arrays of types that take one step into one step.
  void simplify_arrays(DecodeProgram& program) const;

 private:
  void build(Layouts& layouts, std::size_t type);
  [[nodiscard]] bool append_inline(DecodeProgram& program, const Type& type);
  [[nodiscard]] bool append_array(DecodeProgram& program, const Type& type) const;
  [[nodiscard]] static bool append(DecodeProgram& program, DecodeStep step);
  [[nodiscard]] DecodeStep integers(std::uint8_t width, std::uint32_t count) const noexcept;
  /// The one step a primitive takes.
  [[nodiscard]] DecodeStep primitive_step(Primitive primitive) const noexcept;
  /// The step for an array whose elements take the step `element`.
  [[nodiscard]] static DecodeStep array_step(const DecodeStep& element) noexcept;

  const Layouts& layouts_;
  std::size_t total_steps_ = 0;
};

}  // namespace jfrtree::internal
