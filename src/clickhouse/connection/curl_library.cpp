#include "clickhouse/connection/curl_library.hpp"

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
  easy_getinfo = library_.find<int(Handle*, int, ...)>("curl_easy_getinfo");
  easy_reset = library_.find<void(Handle*)>("curl_easy_reset");
  easy_cleanup = library_.find<void(Handle*)>("curl_easy_cleanup");
  easy_strerror = library_.find<const char*(int)>("curl_easy_strerror");
  multi_init = library_.find<Multi*()>("curl_multi_init");
  multi_add = library_.find<int(Multi*, Handle*)>("curl_multi_add_handle");
  multi_remove = library_.find<int(Multi*, Handle*)>("curl_multi_remove_handle");
  multi_perform = library_.find<int(Multi*, int*)>("curl_multi_perform");
  multi_wait = library_.find<int(Multi*, void*, unsigned, int, int*)>("curl_multi_poll");
  if (multi_wait == nullptr) {  // before 7.66
    multi_wait = library_.find<int(Multi*, void*, unsigned, int, int*)>("curl_multi_wait");
  }
  multi_read = library_.find<Message*(Multi*, int*)>("curl_multi_info_read");
  multi_cleanup = library_.find<int(Multi*)>("curl_multi_cleanup");
  list_append = library_.find<List*(List*, const char*)>("curl_slist_append");
  list_free = library_.find<void(List*)>("curl_slist_free_all");
  const bool is_whole = global_init != nullptr && easy_init != nullptr && easy_setopt != nullptr &&
                        easy_getinfo != nullptr && easy_reset != nullptr &&
                        easy_cleanup != nullptr && easy_strerror != nullptr &&
                        multi_init != nullptr && multi_add != nullptr && multi_remove != nullptr &&
                        multi_perform != nullptr && multi_wait != nullptr &&
                        multi_read != nullptr && multi_cleanup != nullptr &&
                        list_append != nullptr && list_free != nullptr;
  constexpr long all_parts = 3;
  if (!is_whole || global_init(all_parts) != 0) {
    throw DatabaseError(DatabaseFault::no_library, database, "the libcurl found cannot be used");
  }
}

}  // namespace jfrtree::internal
