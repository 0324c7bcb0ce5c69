#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>

namespace jfrtree::internal {

/// How often something is tried: as `LoadOptions` say.
struct RetryRule {
  unsigned retries = 0;
  std::chrono::milliseconds first_wait{250};
  std::function<void(const std::string& text)> message{};
  const std::atomic<bool>* stop = nullptr;  ///< ends waits
};

/// Runs what may be run twice, again when it fails for a moment. Throws DatabaseError, Interrupted.
void try_often(const std::function<void()>& work, const RetryRule& rule);

/// A database whose statements are tried again when they failed for a moment, with waits that
/// double. Only for statements that may be run twice. Tries without end are told of once.
class Retries {
 public:
  Retries(clickhouse::Database& database, const clickhouse::LoadOptions& options,
          const std::atomic<bool>* stop)
      : database_(database), options_(options), stop_(stop) {}

  /// Runs anything that may be run twice.
  void try_often(const std::function<void()>& work);
  std::string query(std::string_view sql);
  void insert(std::string_view target, std::string_view native);
  [[nodiscard]] clickhouse::Database& database() noexcept { return database_; }
  void tell(const std::string& text) const {
    if (options_.message) options_.message(text);
  }

 private:
  clickhouse::Database& database_;
  const clickhouse::LoadOptions& options_;
  const std::atomic<bool>* stop_;
};

}  // namespace jfrtree::internal
