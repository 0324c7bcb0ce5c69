#include "profile/class_names.hpp"

#include <doctest/doctest.h>

using jfrtree::internal::java_class_name;
using jfrtree::internal::without_package;

TEST_CASE("java_class_name writes packages with dots") {
  CHECK(java_class_name("java/lang/String") == "java.lang.String");
  CHECK(java_class_name("java/util/Map$Entry") == "java.util.Map$Entry");
  CHECK(java_class_name("Main") == "Main");
  CHECK(java_class_name("").empty());
}

TEST_CASE("java_class_name writes arrays of every primitive type") {
  CHECK(java_class_name("[B") == "byte[]");
  CHECK(java_class_name("[C") == "char[]");
  CHECK(java_class_name("[D") == "double[]");
  CHECK(java_class_name("[F") == "float[]");
  CHECK(java_class_name("[I") == "int[]");
  CHECK(java_class_name("[J") == "long[]");
  CHECK(java_class_name("[S") == "short[]");
  CHECK(java_class_name("[Z") == "boolean[]");
}

TEST_CASE("java_class_name writes one pair of brackets per dimension") {
  CHECK(java_class_name("[[[I") == "int[][][]");
  CHECK(java_class_name("[Ljava/lang/Object;") == "java.lang.Object[]");
  CHECK(java_class_name("[[Ljava/lang/String;") == "java.lang.String[][]");
}

TEST_CASE("java_class_name takes a letter alone as a class") {
  CHECK(java_class_name("I") == "I");
  CHECK(java_class_name("[LI;") == "I[]");
  CHECK(java_class_name("L") == "L");
}

TEST_CASE("java_class_name takes a name that begins with L or ends with a semicolon as it is") {
  CHECK(java_class_name("Lexer") == "Lexer");
  CHECK(java_class_name("Lexer;") == "Lexer;");
}

TEST_CASE("java_class_name shows the slash of a hidden class as a dot") {
  CHECK(java_class_name("example/Work$$Lambda/0x0000000038044a10") ==
        "example.Work$$Lambda.0x0000000038044a10");
  CHECK(java_class_name("[Lexample/Work$$Lambda/0x0000000038044a10;") ==
        "example.Work$$Lambda.0x0000000038044a10[]");
}

TEST_CASE("java_class_name leaves no part of a broken array name out") {
  CHECK(java_class_name("[") == "[]");
  CHECK(java_class_name("[[") == "[][]");
  CHECK(java_class_name("[L;") == "[]");
  CHECK(java_class_name("[;") == ";[]");
  CHECK(java_class_name("[Q") == "Q[]");
  CHECK(java_class_name("[Ljava/lang/Object") == "Ljava.lang.Object[]");
}

TEST_CASE("without_package drops the package of an internal name") {
  CHECK(without_package("java/lang/String") == "String");
  CHECK(without_package("java/util/Map$Entry") == "Map$Entry");
  CHECK(without_package("Main") == "Main");
  CHECK(without_package("").empty());
}

TEST_CASE("without_package keeps the suffix of a hidden class") {
  CHECK(without_package("example/Work$$Lambda/0x0000000038044a10") ==
        "Work$$Lambda/0x0000000038044a10");
  CHECK(without_package("example/Work$$Lambda$88+0x00007f8bf4007a08/1790421142") ==
        "Work$$Lambda$88+0x00007f8bf4007a08/1790421142");
  CHECK(without_package("example/Work$$Lambda$14.0x0000000801000") ==
        "Work$$Lambda$14.0x0000000801000");
  CHECK(without_package("Main/0x0000000038044a10") == "Main/0x0000000038044a10");
}

TEST_CASE("without_package drops the package of a hidden class that the JDK writes with dots") {
  CHECK(without_package("java.lang.invoke.LambdaForm$MH+0x00007fb8f000b800/1331923253") ==
        "LambdaForm$MH+0x00007fb8f000b800/1331923253");
  CHECK(without_package("java.lang.reflect.Proxy$$Lambda/0x00000000380224d0") ==
        "Proxy$$Lambda/0x00000000380224d0");
}

TEST_CASE("without_package drops the package of a name as Java writes it") {
  CHECK(without_package(java_class_name("[Ljava/lang/String;")) == "String[]");
  CHECK(without_package(java_class_name("example/Work$$Lambda/0x0000000038044a10")) ==
        "Work$$Lambda.0x0000000038044a10");
}
