#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "profile/class_names.hpp"

using jfrtree::internal::normalized_class_name;
using jfrtree::internal::normalized_library_name;

namespace {

template <std::size_t Size>
void check_unchanged_classes(const std::array<std::string_view, Size>& names) {
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK(normalized_class_name(name) == name);
  }
}

template <std::size_t Size>
void check_unchanged_libraries(const std::array<std::string_view, Size>& names) {
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK(normalized_library_name(name) == name);
  }
}

}  // namespace

TEST_CASE("normalized_class_name drops number and hash of a lambda of JDK 8 and 11") {
  CHECK(normalized_class_name("example/Work$$Lambda$4/1500056228") == "example/Work$$Lambda");
  CHECK(normalized_class_name("jdk.jfr.internal.SecuritySupport$$Lambda$63/575335780") ==
        "jdk.jfr.internal.SecuritySupport$$Lambda");
}

TEST_CASE("normalized_class_name drops number, address and hash of a lambda of JDK 17") {
  CHECK(normalized_class_name("example/Work$$Lambda$88+0x00007f8bf4007a08/1790421142") ==
        "example/Work$$Lambda");
  CHECK(normalized_class_name("Lambdas$$Lambda$82+0x00007fb8f0007a08/973576304") ==
        "Lambdas$$Lambda");
  CHECK(normalized_class_name("Work$$Lambda$88+0x00007f8bf4007a08") == "Work$$Lambda");
}

TEST_CASE("normalized_class_name drops address and hash of a lambda of JDK 21") {
  CHECK(normalized_class_name("java.util.regex.Pattern$$Lambda+0x800000044/42938372") ==
        "java.util.regex.Pattern$$Lambda");
}

TEST_CASE("normalized_class_name drops the address of a lambda of JDK 25") {
  CHECK(normalized_class_name("Lambdas$$Lambda/0x0000000038044a10") == "Lambdas$$Lambda");
}

TEST_CASE("normalized_class_name drops number and address of a lambda of async-profiler") {
  CHECK(normalized_class_name("example/Work$$Lambda$14.0x0000000801000") == "example/Work$$Lambda");
  CHECK(normalized_class_name("example/Work$$Lambda.0x00007fd6a834fa10") == "example/Work$$Lambda");
  CHECK(normalized_class_name("example/Work$$Lambda$633.1724256292") == "example/Work$$Lambda");
}

TEST_CASE("normalized_class_name drops the number of a lambda without an address") {
  CHECK(normalized_class_name("example/Work$$Lambda$88") == "example/Work$$Lambda");
  CHECK(normalized_class_name("example/Work$$Lambda") == "example/Work$$Lambda");
}

TEST_CASE("normalized_class_name keeps the method that a lambda class names") {
  CHECK(normalized_class_name("Work$$Lambda$lambda$wrap$2$2630016632.0x0000000801000") ==
        "Work$$Lambda$lambda$wrap$2");
  CHECK(normalized_class_name("Work$$Lambda$lambda$wrap$2$2630016632") ==
        "Work$$Lambda$lambda$wrap$2");
  CHECK(normalized_class_name("Work$$Lambda$lambda$wrap$2") == "Work$$Lambda$lambda$wrap$2");
}

TEST_CASE("normalized_class_name drops the suffix of any hidden class") {
  CHECK(normalized_class_name("Lambdas$HiddenTask+0x00007fb8f000ac00/172032696") ==
        "Lambdas$HiddenTask");
  CHECK(normalized_class_name("Lambdas$HiddenTask/0x0000000038046800") == "Lambdas$HiddenTask");
  CHECK(normalized_class_name("example/Task.0x00007ff264000a08") == "example/Task");
  CHECK(normalized_class_name("java/lang/String$$StringConcat/0x0000000038046c00") ==
        "java/lang/String$$StringConcat");
}

TEST_CASE("normalized_class_name drops the address of a lambda form") {
  CHECK(normalized_class_name("java/lang/invoke/LambdaForm$DMH/0x0000000038042000") ==
        "java/lang/invoke/LambdaForm$DMH");
  CHECK(normalized_class_name("java.lang.invoke.LambdaForm$MH+0x00007fb8f000b800/1331923253") ==
        "java.lang.invoke.LambdaForm$MH");
  CHECK(normalized_class_name("java/lang/invoke/LambdaForm$MH+0x00007fb8f000b800.123") ==
        "java/lang/invoke/LambdaForm$MH");
  CHECK(normalized_class_name("java.lang.invoke.LambdaForm$BMH/1943068328") ==
        "java.lang.invoke.LambdaForm$BMH");
}

TEST_CASE("normalized_class_name drops the number of a reflection accessor") {
  CHECK(normalized_class_name("jdk/internal/reflect/GeneratedMethodAccessor31") ==
        "jdk/internal/reflect/GeneratedMethodAccessor");
  CHECK(normalized_class_name("sun/reflect/GeneratedConstructorAccessor7") ==
        "sun/reflect/GeneratedConstructorAccessor");
  CHECK(normalized_class_name("sun/reflect/GeneratedSerializationConstructorAccessor12") ==
        "sun/reflect/GeneratedSerializationConstructorAccessor");
}

TEST_CASE("normalized_class_name drops the number of a proxy class in any package") {
  CHECK(normalized_class_name("com/sun/proxy/$Proxy123") == "com/sun/proxy/$Proxy");
  CHECK(normalized_class_name("net/bytebuddy/description/method/$Proxy15") ==
        "net/bytebuddy/description/method/$Proxy");
  CHECK(normalized_class_name("$Proxy3") == "$Proxy");
}

TEST_CASE("normalized_class_name drops the number of a proxy package") {
  CHECK(normalized_class_name("jdk/proxy2/$Proxy26") == "jdk/proxy/$Proxy");
  CHECK(normalized_class_name("com/sun/proxy/jdk/proxy1/$Proxy24") ==
        "com/sun/proxy/jdk/proxy/$Proxy");
}

TEST_CASE("normalized_class_name drops the hash of a class that CGLIB generated") {
  CHECK(normalized_class_name("example/Dao$$EnhancerBySpringCGLIB$$ab12cd34") ==
        "example/Dao$$EnhancerBySpringCGLIB");
  CHECK(normalized_class_name("example/Dao$$EnhancerByCGLIB$$1f00ba55_2") ==
        "example/Dao$$EnhancerByCGLIB");
  CHECK(normalized_class_name("example/Dao$$SpringCGLIB$$0") == "example/Dao$$SpringCGLIB");
}

TEST_CASE("normalized_class_name drops the hashes of a fast class") {
  CHECK(normalized_class_name("example/Dao$$FastClassBySpringCGLIB$$9a8b7c6d") ==
        "example/Dao$$FastClassBySpringCGLIB");
  CHECK(normalized_class_name(
            "example/Dao$$EnhancerBySpringCGLIB$$ab12cd34$$FastClassBySpringCGLIB$$9a8b7c6d") ==
        "example/Dao$$EnhancerBySpringCGLIB$$FastClassBySpringCGLIB");
  CHECK(normalized_class_name("example/Dao$$SpringCGLIB$$FastClass$$1") ==
        "example/Dao$$SpringCGLIB$$FastClass");
}

TEST_CASE("normalized_class_name drops the hash of a class that Guice generated") {
  CHECK(normalized_class_name("example/Dao$$EnhancerByGuice$$5f0e1a2b") ==
        "example/Dao$$EnhancerByGuice");
  CHECK(normalized_class_name("example/Dao$$FastClassByGuice$$120345678") ==
        "example/Dao$$FastClassByGuice");
}

TEST_CASE("normalized_class_name keeps what follows the hash of a generated class") {
  CHECK(normalized_class_name("example/Dao$$EnhancerByCGLIB$$ab12cd34$1") ==
        "example/Dao$$EnhancerByCGLIB$1");
  CHECK(normalized_class_name("example/Dao$$SpringCGLIB$$0$$Lambda/0x0000000038044a10") ==
        "example/Dao$$SpringCGLIB$$Lambda");
}

TEST_CASE("normalized_class_name normalises the element of an array") {
  CHECK(normalized_class_name("[LWork$$Lambda$88+0x00007f8bf4007a08/1790421142;") ==
        "[LWork$$Lambda;");
  CHECK(normalized_class_name("[[Ljdk/proxy2/$Proxy26;") == "[[Ljdk/proxy/$Proxy;");
}

TEST_CASE("normalized_class_name leaves ordinary names as they are") {
  check_unchanged_classes(std::array<std::string_view, 19>{
      "", "java/lang/String", "[I", "[[Ljava/lang/String;", "[", "[L;", "Lambdas$1",
      "java/util/stream/ReferencePipeline$3$1", "com/google/protobuf/GeneratedMessageV3",
      "java/lang/invoke/LambdaForm$Name", "java/lang/invoke/BoundMethodHandle$Species_LLLI",
      "java/lang/reflect/Proxy$ProxyBuilder", "example/Sha256", "example/Build20240115123456", "x",
      "L;", "$Proxy", "example/$Proxy_12", "0x00007f8bf4007a08"});
}

TEST_CASE("normalized_class_name leaves names alone that compilers number the same in every run") {
  check_unchanged_classes(std::array<std::string_view, 7>{
      "scala/collection/convert/Wrappers$MapWrapper$$anon$2$$anon$3",
      "scala/collection/immutable/List$$anonfun$map$1",
      "example/Queries$special$$inlined$sortedBy$1", "example/Script1$_run_closure2",
      "org/moditect/jfrunit/demos/todo/TodoResource_Subclass$$function$$6", "example/Form$$$1",
      "example/Form$$"});
}

TEST_CASE("normalized_class_name leaves names alone that only resemble generated ones") {
  check_unchanged_classes(std::array<std::string_view, 10>{
      "example/GeneratedMethodAccessor2", "example/My$Proxy12", "example/MyCGLIB$$ab12",
      "example/Dao$$SpringCGLIB$$Nested", "example/Dao$$SpringCGLIB$$0Nested", "a/b/1", "a/b/12345",
      "example/Work0x1f", "example/Work/0x", "example/Work$$Lambda$"});
}

TEST_CASE("normalized_library_name drops the number of a temporary file") {
  CHECK(normalized_library_name("libfoo1234567.so") == "libfoo.so");
  CHECK(normalized_library_name("/tmp/libjavaProfiler761196399042483313.so") ==
        "/tmp/libjavaProfiler.so");
  CHECK(normalized_library_name("/opt/app/work/libfoo1234567.so") == "/opt/app/work/libfoo.so");
  CHECK(normalized_library_name("foo18382991855491430074.dll") == "foo.dll");
}

TEST_CASE("normalized_library_name drops a number of six digits but none of five") {
  CHECK(normalized_library_name("libfoo123456.so") == "libfoo.so");
  CHECK(normalized_library_name("libfoo12345.so") == "libfoo12345.so");
  CHECK(normalized_library_name("/tmp/perf-12345.map") == "/tmp/perf-12345.map");
}

TEST_CASE("normalized_library_name drops the separator in front of a number") {
  CHECK(normalized_library_name("/tmp/liblz4-java-15082398166694660806.so") ==
        "/tmp/liblz4-java.so");
  CHECK(normalized_library_name("libfoo_1234567_bar.so") == "libfoo_bar.so");
}

TEST_CASE("normalized_library_name keeps what stands behind the number") {
  CHECK(normalized_library_name("/tmp/jffi18382991855491430074.so (deleted)") ==
        "/tmp/jffi.so (deleted)");
}

TEST_CASE("normalized_library_name keeps the architecture in front of a number") {
  CHECK(normalized_library_name(
            "/tmp/libnetty_transport_native_epoll_x86_646366623425569576156.so") ==
        "/tmp/libnetty_transport_native_epoll_x86_64.so");
  CHECK(normalized_library_name("libnetty_quiche_aarch_641234567890.so") ==
        "libnetty_quiche_aarch_64.so");
  CHECK(normalized_library_name("libfoo-linux-amd641234567890.so") == "libfoo-linux-amd64.so");
}

TEST_CASE("normalized_library_name drops the numbers of temporary folders") {
  CHECK(normalized_library_name("/tmp/jna-1089236/jna8923748293742389475.tmp") ==
        "/tmp/jna/jna.tmp");
  CHECK(normalized_library_name("/var/tmp/jna--1089236/libjnidispatch.so") ==
        "/var/tmp/jna/libjnidispatch.so");
}

TEST_CASE("normalized_library_name keeps the numbers of other folders") {
  CHECK(normalized_library_name("/opt/build1234567/lib/libfoo.so") ==
        "/opt/build1234567/lib/libfoo.so");
}

TEST_CASE("normalized_library_name drops UUIDs and hexadecimal numbers in temporary folders") {
  CHECK(normalized_library_name(
            "/tmp/snappy-1.1.8-d1f9bd24-4cc8-4571-b71c-1698b83f1af1-libsnappyjava.so") ==
        "/tmp/snappy-1.1.8-libsnappyjava.so");
  CHECK(normalized_library_name("/tmp/jansi-2.4.0-4f1ab20f1a5d3d3e-libjansi.so") ==
        "/tmp/jansi-2.4.0-libjansi.so");
}

TEST_CASE("normalized_library_name keeps hexadecimal digits outside temporary folders") {
  check_unchanged_libraries(std::array<std::string_view, 2>{"/usr/lib/libstd-0fd5fc21c8edb3f2.so",
                                                            "libopenblasp-r0-f650aae0.3.3.so"});
}

TEST_CASE("normalized_library_name keeps hexadecimal letters in front of a decimal number") {
  CHECK(normalized_library_name("/tmp/libfeed1234567890123.so") == "/tmp/libfeed.so");
}

TEST_CASE("normalized_library_name keeps versions") {
  check_unchanged_libraries(std::array<std::string_view, 7>{
      "libpthread-2.17.so", "libc.so.6", "libstdc++.so.6.0.28",
      "/usr/lib/x86_64-linux-gnu/libz.so.1.2.13", "libabsl_base.so.20210324",
      "libfoo-1.2.345678.so", "/usr/lib64/libX11.so.6.4.0"});
}

TEST_CASE("normalized_library_name keeps a version that is a date") {
  CHECK(normalized_library_name("/usr/lib64/libgcc_s-4.8.5-20150702.so.1") ==
        "/usr/lib64/libgcc_s-4.8.5-20150702.so.1");
  CHECK(normalized_library_name("libfoo-20151302.so") == "libfoo.so");
  CHECK(normalized_library_name("libfoo-20151232.so") == "libfoo.so");
}

TEST_CASE("normalized_library_name leaves ordinary names as they are") {
  check_unchanged_libraries(std::array<std::string_view, 9>{
      "", "/", "libjvm.so", "[vdso]", "libfoo-_.so", "libawt_x86_64.so", "/tmp/", "/tmp/libfoo.so",
      "/home/user/lib/jna/amd64/libjnidispatch.so"});
}
