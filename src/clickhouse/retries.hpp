#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>

namespace jfrtree::internal {

/// A database whose statements are tried again when they failed for a moment, with waits that
/// double. Only for statements that may be run twice.
class Retries {
 public:
  Retries(clickhouse::Database& database, const clickhouse::LoadOptions& options,
          const std::atomic<bool>* stop)
      : database_(database), options_(options), stop_(stop) {}

  std::string query(std::string_view sql);
  void insert(std::string_view target, std::string_view native);
  [[nodiscard]] clickhouse::Database& database() noexcept { return database_; }
  void tell(const std::string& text) const {
    if (options_.message) options_.message(text);
  }

 private:
  void try_often(const std::function<void()>& work);

  clickhouse::Database& database_;
  const clickhouse::LoadOptions& options_;
  const std::atomic<bool>* stop_;
};

}  // namespace jfrtree::internal
