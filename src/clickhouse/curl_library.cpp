#include "clickhouse/curl_library.hpp"

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

CurlLibrary::CurlLibrary(const std::string& database) {
  using clickhouse::DatabaseError;
  using clickhouse::DatabaseFault;
  std::string reason;
  if (!library_.open({"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"}, reason)) {
    throw DatabaseError(DatabaseFault::no_library, database,
                        "libcurl, which speaks to servers, cannot be opened (" + reason +
                            "); on Debian: apt-get install libcurl4");
  }
  global_init = library_.find<int(long)>("curl_global_init");
  easy_init = library_.find<Handle*()>("curl_easy_init");
  easy_setopt = library_.find<int(Handle*, int, ...)>("curl_easy_setopt");
  easy_perform = library_.find<int(Handle*)>("curl_easy_perform");
  easy_getinfo = library_.find<int(Handle*, int, ...)>("curl_easy_getinfo");
  easy_reset = library_.find<void(Handle*)>("curl_easy_reset");
  easy_cleanup = library_.find<void(Handle*)>("curl_easy_cleanup");
  easy_strerror = library_.find<const char*(int)>("curl_easy_strerror");
  list_append = library_.find<List*(List*, const char*)>("curl_slist_append");
  list_free = library_.find<void(List*)>("curl_slist_free_all");
  const bool is_whole = global_init != nullptr && easy_init != nullptr && easy_setopt != nullptr &&
                        easy_perform != nullptr && easy_getinfo != nullptr &&
                        easy_reset != nullptr && easy_cleanup != nullptr &&
                        easy_strerror != nullptr && list_append != nullptr && list_free != nullptr;
  constexpr long all_parts = 3;
  if (!is_whole || global_init(all_parts) != 0) {
    throw DatabaseError(DatabaseFault::no_library, database, "the libcurl found cannot be used");
  }
}

}  // namespace jfrtree::internal
