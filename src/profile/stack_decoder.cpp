#include "profile/stack_decoder.hpp"

#include <algorithm>
#include <array>

namespace jfrtree::internal {

namespace {

enum FrameSlot : std::uint16_t { frame_method, frame_line, frame_kind, frame_index, frame_slots };

/// Of frames without a bytecode index.
constexpr std::uint64_t no_index = ~std::uint64_t{0};

/// Whether a frame is four compressed integers, as all recorders write it: method, line, bytecode
/// index, type.
[[nodiscard]] bool is_usual_frame(const DecodeProgram& program, bool has_compressed_integers) {
  using Code = DecodeStep::Code;
  return has_compressed_integers && program.size() == 4 && program[0].code == Code::take_integer &&
         program[0].slot == frame_method && program[1].code == Code::take_integer &&
         program[1].slot == frame_line && program[2].code == Code::skip_integers &&
         program[2].count == 1 && program[3].code == Code::take_integer &&
         program[3].slot == frame_kind;
}

}  // namespace

StackDecoder::StackDecoder(const ChunkContents& contents, FrameNamer& namer)
    : contents_(contents),
      namer_(namer),
      stack_type_(contents.metadata().find("jdk.types.StackTrace")) {
  if (stack_type_ == nullptr) return;
  const int index = stack_type_->field_index("frames");
  if (index < 0) return;
  const Field& field = stack_type_->fields[static_cast<std::size_t>(index)];
  const Type* type = contents.metadata().find(field.type);
  if (type == nullptr || !field.is_array || field.is_reference || !type->is_decodable) return;
  std::vector<FieldSlot> wanted = {
      {"method", frame_method}, {"lineNumber", frame_line}, {"type", frame_kind}};
  if (namer.wants_bytecode_index()) wanted.push_back({"bytecodeIndex", frame_index});
  std::uint64_t found = 0;
  frame_program_ = contents.layouts().compile(*type, wanted, found);
  has_frames_ = (found & 1) != 0;
  is_usual_frame_ = is_usual_frame(frame_program_, contents.has_compressed_integers()) &&
                    type->fields.size() == 4;
  frame_type_ = type;
}

std::span<const std::uint32_t> StackDecoder::decode(std::uint64_t offset, bool& is_truncated) {
  frames_.clear();
  leaf_method_ = 0;
  is_truncated = false;
  ByteReader reader = contents_.reader_at(offset);
  for (const Field& field : stack_type_->fields) {
    if (field.name == "truncated" && !field.is_array && !field.is_reference) {
      is_truncated = reader.byte() != 0;
    } else if (field.name == "frames" && has_frames_) {
      decode_frames(reader, is_truncated);
      break;
    } else {
      contents_.layouts().skip_field(field, reader);
    }
  }
  if (reader.failed()) ++bad_stacks_;
  std::reverse(frames_.begin(), frames_.end());
  return frames_;
}

void StackDecoder::decode_frames(ByteReader& reader, bool& is_truncated) {
  std::uint64_t count = reader.count();
  if (count > reader.remaining()) {
    reader.fail();
    return;
  }
  if (count > contents_.limits.stack_frames) {
    count = contents_.limits.stack_frames;
    is_truncated = true;
    ++cut_stacks_;
  }
  if (is_usual_frame_) {
    decode_usual_frames(reader, count);
    return;
  }
  std::array<std::uint64_t, frame_slots> slots{};
  slots[frame_index] = no_index;
  for (std::uint64_t i = 0; i < count; ++i) {
    ByteReader rest = reader;
    contents_.layouts().fetch(frame_program_, rest, slots.data());
    contents_.layouts().skip(*frame_type_, reader);
    if (reader.failed()) return;
    if (i == 0) leaf_method_ = slots[frame_method];
    const std::uint64_t line = slots[frame_line] & 0xFFFF'FFFFU;
    add_text(namer_.wants_bytecode_index()
                 ? namer_.frame(slots[frame_method], line, slots[frame_kind],
                                slots[frame_index] & 0xFFFF'FFFFU)
                 : namer_.frame(slots[frame_method], line, slots[frame_kind]));
  }
}

void StackDecoder::decode_usual_frames(ByteReader& reader, std::uint64_t count) {
  std::array<FrameRow, 64> rows;
  const bool has_methods_only = namer_.needs_methods_only();
  const FrameParts parts = has_methods_only ? FrameParts::methods : FrameParts::all;
  bool is_leaf = true;
  while (count > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, rows.size()));
    const std::uint8_t* position = reader.position();
    const std::size_t done = decode_frame_rows(position, position + reader.remaining(),
                                               std::span(rows).first(wanted), parts);
    if (is_leaf && done > 0) leaf_method_ = rows[0].method;
    is_leaf = false;
    add_rows(std::span(rows).first(done), has_methods_only);
    if (done < wanted) {
      reader.fail();
      return;
    }
    reader.skip_bytes(static_cast<std::uint64_t>(position - reader.position()));
    count -= done;
  }
}

void StackDecoder::add_rows(std::span<const FrameRow> rows, bool has_methods_only) {
  const std::size_t size = frames_.size();
  frames_.resize(size + rows.size());
  std::uint32_t* text = frames_.data() + size;
  for (const FrameRow& row : rows) {
    *text = has_methods_only ? namer_.frame(row.method)
                             : namer_.frame(row.method, row.line & 0xFFFF'FFFFU, row.type);
    text += *text != FrameNamer::hidden ? 1 : 0;
  }
  frames_.resize(static_cast<std::size_t>(text - frames_.data()));
}

void StackDecoder::report(ProblemLog& log) const {
  if (cut_stacks_ > 0) {
    log.problem(ErrorCode::limit_exceeded, contents_.info.offset,
                "stacks deeper than the limit stack_frames; the frames nearest to the leaf were "
                "kept; raise it with --limit stack_frames=N",
                cut_stacks_);
  }
  if (bad_stacks_ > 0) {
    log.problem(ErrorCode::bad_constant_pool, contents_.info.offset,
                "stack traces that cannot be decoded to their end", bad_stacks_);
  }
}

}  // namespace jfrtree::internal
