#include "clickhouse/connection/chdb_engine.hpp"

#include <cstddef>
#include <utility>

#include "clickhouse/connection/chdb_library.hpp"
#include "clickhouse/rows/sql_text.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::DatabaseFault;
using clickhouse::EmbeddedEngine;
using clickhouse::EngineFailure;

/// Bytes that are handed to the engine at once.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::string_view result_format = "TabSeparated";

class ChdbEngine final : public EmbeddedEngine {
 public:
  ChdbEngine(std::shared_ptr<const ChdbLibrary> library, const std::string& folder)
      : library_(std::move(library)) {
    std::string program = "clickhouse";
    std::string path = "--path=" + folder;
    char* arguments[] = {program.data(), path.data(), nullptr};
    connection_ = library_->connect(2, arguments);
    if (connection_ == nullptr || *connection_ == nullptr) {
      throw EngineFailure(
          "cannot be opened: another process uses it, or it is no folder of a database that may be "
          "written",
          DatabaseFault::in_use);
    }
  }
  ~ChdbEngine() override { library_->close(connection_); }

  std::string query(const std::string& sql,
                    const std::map<std::string, std::string>& parameters) override {
    for (const auto& [name, value] : parameters) {
      (void)run("SET param_" + name + " = " + sql_text(value));
    }
    return run(sql);
  }

  void insert(const std::string& sql, std::string_view native) override {
    ChdbLibrary::Insert* const insert = library_->begin_insert(*connection_, sql.c_str(), "Native");
    if (insert == nullptr) throw EngineFailure("the engine did not begin to insert");
    bool is_taken = true;
    while (is_taken && !native.empty()) {
      const std::string_view piece = native.substr(0, piece_bytes);
      is_taken = library_->append(insert, piece.data(), piece.size()) == 0;
      native.remove_prefix(piece.size());
    }
    ChdbLibrary::Result* const result = library_->end_insert(insert);
    library_->destroy_insert(insert);
    if (result == nullptr) throw EngineFailure("the engine did not end to insert");
    (void)take(result);
    if (!is_taken) throw EngineFailure("the engine took a part of the rows only");
  }

 private:
  std::string run(const std::string& sql) {
    return take(library_->query(*connection_, sql.data(), sql.size(), result_format.data(),
                                result_format.size()));
  }

  /// The bytes of a result.
  std::string take(ChdbLibrary::Result* result) {
    if (result == nullptr) throw EngineFailure("the engine gave no result");
    const char* const error = library_->error(result);
    if (error != nullptr) {
      const std::string text = error;
      library_->destroy_result(result);
      throw EngineFailure(text);
    }
    const std::size_t length = library_->length(result);
    std::string bytes;
    if (length > 0) bytes.assign(library_->buffer(result), length);
    library_->destroy_result(result);
    return bytes;
  }

  std::shared_ptr<const ChdbLibrary> library_;
  ChdbLibrary::Connection** connection_ = nullptr;
};

}  // namespace

clickhouse::EngineFactory chdb_engine(const std::string& library_path, const std::string& place) {
  const auto library = std::make_shared<const ChdbLibrary>(library_path, place);
  // The program has handlers of its own; those of the engine would print pages.
  if (library->enable_signal_handlers != nullptr) library->enable_signal_handlers(0);
  return [library](const std::string& folder) {
    return std::make_unique<ChdbEngine>(library, folder);
  };
}

}  // namespace jfrtree::internal
