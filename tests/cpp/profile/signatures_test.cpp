#include "profile/signatures.hpp"

#include <doctest/doctest.h>

#include <string_view>

using jfrtree::internal::java_signature;
using jfrtree::internal::normalized_descriptor;

TEST_CASE("java_signature writes every primitive type") {
  CHECK(java_signature("(BCDFIJSZ)V") == "(byte, char, double, float, int, long, short, boolean)");
  CHECK(java_signature("()V") == "()");
}

TEST_CASE("java_signature writes classes without package and arrays with brackets") {
  CHECK(java_signature("(ILjava/lang/String;)V") == "(int, String)");
  CHECK(java_signature("([[I[Ljava/util/Map$Entry;LMain;)Ljava/lang/Object;") ==
        "(int[][], Map$Entry[], Main)");
}

TEST_CASE("java_signature leaves what is no descriptor as it is, in parentheses") {
  CHECK(java_signature("") == "()");
  CHECK(java_signature("run") == "(run)");
  CHECK(java_signature("(I") == "((I)");
  CHECK(java_signature("(Q)V") == "((Q)V)");
  CHECK(java_signature("(Ljava/lang/String)V") == "((Ljava/lang/String)V)");
  CHECK(java_signature("([)V") == "(([)V)");
}

TEST_CASE("java_signature takes the descriptors that async-profiler makes up") {
  CHECK(java_signature("()L;") == "()");
  CHECK(java_signature("(Lk;)L;") == "(k)");
}

TEST_CASE("normalized_descriptor normalises parameters and result") {
  CHECK(normalized_descriptor("(Lcom/sun/proxy/$Proxy12;I)Ljdk/proxy2/$Proxy7;") ==
        "(Lcom/sun/proxy/$Proxy;I)Ljdk/proxy/$Proxy;");
  CHECK(normalized_descriptor("([Lcom/sun/proxy/$Proxy12;)V") == "([Lcom/sun/proxy/$Proxy;)V");
}

TEST_CASE("normalized_descriptor leaves other descriptors, and what is none, as they are") {
  for (const std::string_view text :
       {"(ILjava/lang/String;[[J)Z", "()V", "", "run", "(I", "(Q)V", "()", "()Lopen"}) {
    CAPTURE(text);
    CHECK(normalized_descriptor(text) == text);
  }
}
