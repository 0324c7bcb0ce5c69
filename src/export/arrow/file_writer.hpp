#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/output.hpp>

#include "export/arrow/ipc_messages.hpp"

namespace jfrtree::internal::arrow {

/// Writes an Arrow IPC file, also called Feather version 2: the batches as they come, then each
/// dictionary once, as the last batch has it, then the footer by which readers find both. A
/// dictionary must hold those of earlier batches as its first entries. Nothing but the blocks'
/// positions is kept meanwhile.
class FileWriter {
 public:
  /// The output must outlive the writer. It is not committed.
  FileWriter(Output& output, Field schema);

  /// Throws IoError, ClosedPipe.
  void write_batch(const ColumnPointer& batch);
  void finish();

 private:
  void write(std::string_view bytes);
  void pad(std::size_t alignment);
  void flush();
  /// Writes a message; `buffers` are its body.
  [[nodiscard]] FileBlock write_message(const std::string& metadata,
                                        const std::vector<Buffer>& buffers);
  void write_dictionaries(const Field& field, const Column* column);

  Output& output_;
  Field schema_;
  std::string gathered_;
  std::uint64_t position_ = 0;
  ColumnPointer last_batch_;  // without its values: its dictionaries alone
  std::vector<FileBlock> batches_;
  std::vector<FileBlock> dictionaries_;
};

}  // namespace jfrtree::internal::arrow
