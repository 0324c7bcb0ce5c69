#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/clickhouse_fault.hpp>

namespace jfrtree::clickhouse {

/// An engine said no. The text is the engine's, `Code: 60. DB::Exception: …`, of which the fault is
/// found out unless one is given; a text with a fault is shown as it is.
class EngineFailure : public std::runtime_error {
 public:
  explicit EngineFailure(const std::string& text, std::optional<DatabaseFault> fault = std::nullopt)
      : std::runtime_error(text), fault_(fault) {}

  [[nodiscard]] std::optional<DatabaseFault> fault() const noexcept { return fault_; }

 private:
  std::optional<DatabaseFault> fault_;
};

/// A ClickHouse engine in this process that has a folder open, until it is destroyed. Called by one
/// thread at a time, not always by the same one.
class EmbeddedEngine {
 public:
  EmbeddedEngine() = default;
  EmbeddedEngine(const EmbeddedEngine&) = delete;
  EmbeddedEngine& operator=(const EmbeddedEngine&) = delete;
  virtual ~EmbeddedEngine() = default;

  /// Runs a statement; the result as TSV unless it says FORMAT. Values of parameters are escaped as
  /// the engine reads them, which is as TSV. Throws EngineFailure; the engine is opened anew then.
  virtual std::string query(const std::string& sql,
                            const std::map<std::string, std::string>& parameters) = 0;
  /// `INSERT INTO …` without FORMAT, of blocks of Native. Throws EngineFailure.
  virtual void insert(const std::string& sql, std::string_view native) = 0;
};

/// Opens a folder, which is made when it is not there. Throws EngineFailure.
using EngineFactory = std::function<std::unique_ptr<EmbeddedEngine>(const std::string& folder)>;

}  // namespace jfrtree::clickhouse
