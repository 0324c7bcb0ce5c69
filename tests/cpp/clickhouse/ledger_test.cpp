/// The ledger of loads, where answers of a database change while they are looked at.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/connection/retries.hpp"
#include "clickhouse/load/ledger.hpp"

using namespace jfrtree;
using namespace jfrtree::clickhouse;
using namespace jfrtree::internal;

namespace {

/// Gives one answer after the other.
class ToldDatabase final : public Database {
 public:
  explicit ToldDatabase(std::vector<std::string> answers) : answers_(std::move(answers)) {}

  std::string query(std::string_view) override { return answers_.at(asked++); }
  std::string query(std::string_view sql, const QueryParameters&) override { return query(sql); }
  void insert(std::string_view, std::string_view) override {}
  const std::string& name() const noexcept override { return name_; }
  bool is_embedded() const noexcept override { return false; }

  std::size_t asked = 0;

 private:
  std::vector<std::string> answers_;
  std::string name_ = "told";
};

std::string gone_loader() {
  const LoaderMark mark;
  return mark.name();
}

/// A row of the ledger: load 5 of chunk 9. State 1 is started, 2 committed.
std::string row(int state, const std::string& notes) {
  return "9\t5\t" + std::to_string(state) + "\t0\t" + notes + "\n";
}

std::vector<KnownLoad> loads_of(ToldDatabase& database) {
  const LoadOptions options;
  Retries retries(database, options, nullptr);
  Ledger ledger(retries, options);
  return ledger.loads_of(std::vector<std::uint64_t>{9});
}

}  // namespace

TEST_CASE("a load whose loader is gone is abandoned") {
  const std::string started = row(1, gone_loader());
  ToldDatabase database({started, started});
  const std::vector<KnownLoad> loads = loads_of(database);
  REQUIRE(loads.size() == 1);
  CHECK(loads[0].load_id == 5);
  CHECK(loads[0].is_abandoned);
}

TEST_CASE("a loader that committed before it was seen to be gone has left nothing behind") {
  ToldDatabase database({row(1, gone_loader()), row(2, "")});
  const std::vector<KnownLoad> loads = loads_of(database);
  REQUIRE(loads.size() == 1);
  CHECK(loads[0].state == KnownLoad::State::committed);
  CHECK_FALSE(loads[0].is_abandoned);
}

TEST_CASE("a load that is under way is asked for once") {
  const LoaderMark other;
  ToldDatabase database({row(1, other.name())});
  CHECK_FALSE(loads_of(database).at(0).is_abandoned);
  CHECK(database.asked == 1);
}
