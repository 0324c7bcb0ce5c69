/// Names that libraries and newer JDKs generate, as they were seen in recordings and programs, and
/// what holds for all names.

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/class_names.hpp"

using jfrtree::internal::normalized_class_name;
using jfrtree::internal::normalized_library_name;
using jfrtree::internal::normalized_module_name;

namespace {

/// Names of two runs of one program, and the form they share.
struct TwoRuns {
  std::string_view first;
  std::string_view second;
  std::string_view normalized;
};

void check(const std::vector<TwoRuns>& names) {
  for (const TwoRuns& name : names) {
    CAPTURE(name.first);
    CHECK(name.first != name.second);
    CHECK(normalized_class_name(name.first) == name.normalized);
    CHECK(normalized_class_name(name.second) == name.normalized);
    CHECK(normalized_class_name(name.normalized) == name.normalized);
  }
}

}  // namespace

TEST_CASE("classes that JDK 8, 9 and 11 generate are equal in two runs") {
  check({
      {"jdk/jfr/internal/PlatformRecorder$$Lambda$50/1323162018",
       "jdk/jfr/internal/PlatformRecorder$$Lambda$55/250421012",
       "jdk/jfr/internal/PlatformRecorder$$Lambda"},
      {"java/lang/invoke/LambdaForm$DMH/1915503092", "java/lang/invoke/LambdaForm$DMH/2032251042",
       "java/lang/invoke/LambdaForm$DMH"},
      {"java/lang/invoke/LambdaForm$BMH/1943068328", "java/lang/invoke/LambdaForm$BMH/1531485190",
       "java/lang/invoke/LambdaForm$BMH"},
      {"sun/reflect/GeneratedMethodAccessor1", "sun/reflect/GeneratedMethodAccessor2",
       "sun/reflect/GeneratedMethodAccessor"},
      {"sun/reflect/GeneratedConstructorAccessor1", "sun/reflect/GeneratedConstructorAccessor9",
       "sun/reflect/GeneratedConstructorAccessor"},
      {"sun/reflect/GeneratedSerializationConstructorAccessor1",
       "sun/reflect/GeneratedSerializationConstructorAccessor23",
       "sun/reflect/GeneratedSerializationConstructorAccessor"},
      {"com/sun/proxy/$Proxy5", "com/sun/proxy/$Proxy65", "com/sun/proxy/$Proxy"},
  });
}

TEST_CASE("classes that JDK 17 generates are equal in two runs") {
  check({
      {"Names$$Lambda$104+0x00007f654400ac88/365181913",
       "Names$$Lambda$105+0x00007f17b800ac88/1031061344", "Names$$Lambda"},
      {"java.util.function.Consumer$$Lambda$108+0x00007f65440c8690/961712517",
       "java.util.function.Consumer$$Lambda$107+0x00007f17b80c8690/12347",
       "java.util.function.Consumer$$Lambda"},
      {"Names$$InjectedInvoker+0x00007f6544011c00/487075464",
       "Names$$InjectedInvoker+0x00007f17b8011c00/1487075464", "Names$$InjectedInvoker"},
      {"java.lang.invoke.LambdaForm$DMH+0x00007f6544000c00/317574433",
       "java.lang.invoke.LambdaForm$DMH+0x00007f17b8000c00/1317574433",
       "java.lang.invoke.LambdaForm$DMH"},
      {"java.lang.invoke.LambdaForm$MH+0x00007f6544013400/2131952342",
       "java.lang.invoke.LambdaForm$MH+0x00007f17b8013400/931952342",
       "java.lang.invoke.LambdaForm$MH"},
      {"java.lang.invoke.LambdaForm$VH+0x00007f6544013400/2131952342",
       "java.lang.invoke.LambdaForm$VH+0x00007f17b8013400/931952342",
       "java.lang.invoke.LambdaForm$VH"},
      {"java.lang.String$$StringConcat+0x00007f6544013400/2131952342",
       "java.lang.String$$StringConcat+0x00007f17b8013400/931952342",
       "java.lang.String$$StringConcat"},
      {"com/sun/proxy/jdk/proxy2/$Proxy29", "com/sun/proxy/jdk/proxy1/$Proxy28",
       "com/sun/proxy/jdk/proxy/$Proxy"},
      {"jdk/proxy2/$Proxy26", "jdk/proxy3/$Proxy12", "jdk/proxy/$Proxy"},
      {"$Proxy28", "$Proxy26", "$Proxy"},
      {"jdk/internal/reflect/GeneratedMethodAccessor7",
       "jdk/internal/reflect/GeneratedMethodAccessor31",
       "jdk/internal/reflect/GeneratedMethodAccessor"},
      {"jdk/internal/reflect/GeneratedConstructorAccessor13",
       "jdk/internal/reflect/GeneratedConstructorAccessor7",
       "jdk/internal/reflect/GeneratedConstructorAccessor"},
      {"jdk/internal/reflect/GeneratedSerializationConstructorAccessor1",
       "jdk/internal/reflect/GeneratedSerializationConstructorAccessor2",
       "jdk/internal/reflect/GeneratedSerializationConstructorAccessor"},
  });
}

TEST_CASE("classes that JDK 21 and 25 generate are equal in two runs") {
  check({
      {"org.eclipse.e4.ui.widgets.ImageBasedFrame$$Lambda+0x000001a21a5cb8c0/1230414372",
       "org.eclipse.e4.ui.widgets.ImageBasedFrame$$Lambda+0x000002a21a5cb8c0/414372",
       "org.eclipse.e4.ui.widgets.ImageBasedFrame$$Lambda"},
      {"Names$$Lambda/0x0000000085047ac8", "Names$$Lambda/0x000000002c047ac8", "Names$$Lambda"},
      {"Names$HiddenWithLambda/0x0000000085044400", "Names$HiddenWithLambda/0x000000002c080000",
       "Names$HiddenWithLambda"},
      {"Names$HiddenWithLambda_0x0000000085044400$$Lambda/0x0000000085044a10",
       "Names$HiddenWithLambda_0x000000002c080000$$Lambda/0x000000002c047228",
       "Names$HiddenWithLambda$$Lambda"},
      {"java.lang.invoke.LambdaForm$MH/0x0000000085086800",
       "java.lang.invoke.LambdaForm$MH/0x000000002c089800", "java.lang.invoke.LambdaForm$MH"},
      {"java.lang.invoke.LambdaForm$DMH/0x0000000085042000",
       "java.lang.invoke.LambdaForm$DMH/0x000000002c042000", "java.lang.invoke.LambdaForm$DMH"},
      {"java.lang.String$$StringConcat/0x0000000038046c00",
       "java.lang.String$$StringConcat/0x000000002c046c00", "java.lang.String$$StringConcat"},
      {"jdk.MHProxy1.Runnable/0x0000000085080800", "jdk.MHProxy2.Runnable/0x000000002c080800",
       "jdk.MHProxy.Runnable"},
      {"jdk/proxy2/$Proxy24", "jdk/proxy1/$Proxy25", "jdk/proxy/$Proxy"},
  });
}

TEST_CASE("classes as async-profiler writes them are equal in two runs") {
  check({
      {"java/lang/invoke/LambdaForm$MH.0x00007fd6a834fa10",
       "java/lang/invoke/LambdaForm$MH.0x000000080182c400", "java/lang/invoke/LambdaForm$MH"},
      {"kafka/log/LogValidator$$$Lambda$1234.0x00000008016cf8d0",
       "kafka/log/LogValidator$$$Lambda$987.0x00000008016d0000", "kafka/log/LogValidator$$$Lambda"},
      {"kafka/cluster/Partition$$Lambda$1190.0x00000008016cf8d0",
       "kafka/cluster/Partition$$Lambda$990.0x00000008016d0000", "kafka/cluster/Partition$$Lambda"},
      {"App$$Lambda$75.250421012", "App$$Lambda$76.1323162018", "App$$Lambda"},
  });
}

TEST_CASE("classes that ByteBuddy and what is built on it generate are equal in two runs") {
  check({
      {"Gen$Dao$ByteBuddy$p4UZZZ2n", "Gen$Dao$ByteBuddy$VoCjAlCL", "Gen$Dao$ByteBuddy"},
      {"Gen$Dao$ByteBuddy$p4UZZZ2n$auxiliary$wyq4itfh",
       "Gen$Dao$ByteBuddy$VoCjAlCL$auxiliary$X9WQ1vrv", "Gen$Dao$ByteBuddy$auxiliary"},
      {"net/bytebuddy/renamed/java/lang/Object$ByteBuddy$whbP4RfE",
       "net/bytebuddy/renamed/java/lang/Object$ByteBuddy$L6a91DV5",
       "net/bytebuddy/renamed/java/lang/Object$ByteBuddy"},
      {"Gen$Foo$MockitoMock$6p5JqINd", "Gen$Foo$MockitoMock$nwH2ztRH", "Gen$Foo$MockitoMock"},
      {"codegen/java/util/List$MockitoMock$1398704518",
       "codegen/java/util/List$MockitoMock$238407921", "codegen/java/util/List$MockitoMock"},
      {"example/Customer$HibernateProxy$aXyf42Kt", "example/Customer$HibernateProxy$Kt3dUz0B",
       "example/Customer$HibernateProxy"},
      {"example/Customer$HibernateInstantiator$aXyf42Kt",
       "example/Customer$HibernateInstantiator$Kt3dUz0B", "example/Customer$HibernateInstantiator"},
      {"example/Customer$HibernateAccessOptimizer$aXyf42Kt",
       "example/Customer$HibernateAccessOptimizer$Kt3dUz0B",
       "example/Customer$HibernateAccessOptimizer"},
  });
}

TEST_CASE("classes that CGLIB, Javassist, Guice and Groovy generate are equal in two runs") {
  check({
      {"Gen$Dao$$EnhancerByCGLIB$$b832b425", "Gen$Dao$$EnhancerByCGLIB$$ee895712",
       "Gen$Dao$$EnhancerByCGLIB"},
      {"Gen$Dao$$EnhancerByCGLIB$$b832b425$$FastClassByCGLIB$$2cca1752",
       "Gen$Dao$$EnhancerByCGLIB$$ee895712$$FastClassByCGLIB$$5e5367fe",
       "Gen$Dao$$EnhancerByCGLIB$$FastClassByCGLIB"},
      {"example/Dao$$EnhancerBySpringCGLIB$$ab12cd34", "example/Dao$$EnhancerBySpringCGLIB$$12ab",
       "example/Dao$$EnhancerBySpringCGLIB"},
      {"com/datadog/demo/CustomerDAO$$SpringCGLIB$$0",
       "com/datadog/demo/CustomerDAO$$SpringCGLIB$$1", "com/datadog/demo/CustomerDAO$$SpringCGLIB"},
      {"com/sun/proxy/$Proxy12$$FastClassBySpringCGLIB$$ab12cd34",
       "com/sun/proxy/$Proxy31$$FastClassBySpringCGLIB$$cd34ab12",
       "com/sun/proxy/$Proxy$$FastClassBySpringCGLIB"},
      {"Gen$Dao_$$_jvst856_0", "Gen$Dao_$$_jvstcd5_1a", "Gen$Dao_$$_jvst"},
      {"example/Dao_$$_javassist_12", "example/Dao_$$_javassist_3", "example/Dao_$$_javassist"},
      {"example/Dao$$EnhancerByGuice$$5f0e1a2b", "example/Dao$$EnhancerByGuice$$1f0e1a2b",
       "example/Dao$$EnhancerByGuice"},
      {"script16988552123451274613871$_run_closure1", "script1701234567890987654321$_run_closure1",
       "script$_run_closure1"},
  });
}

TEST_CASE("names that Kotlin, Scala, Groovy and Java compilers number stay as they are") {
  for (const std::string_view name :
       {"kafka/server/DelayedOperationPurgatory$$anonfun$1",
        "scala/collection/Iterator$$anon$10",
        "scala/collection/convert/Wrappers$MapWrapper$$anon$2$$anon$3",
        "example/Main$main$1",
        "example/Main$load$2$invokeSuspend$$inlined$map$1$2",
        "kotlin/collections/ArraysKt___ArraysKt$asSequence$$inlined$Sequence$1",
        "Script1",
        "Script2$_run_closure1",
        "Script_6fb7b5dbcf892ee5e61ca8ae479df61b",
        "Gen$Dao1_groovyProxy",
        "Object2_groovyProxy",
        "org/moditect/TodoResource_Subclass",
        "java/lang/invoke/BoundMethodHandle$Species_LLLLL",
        "java/lang/invoke/DirectMethodHandle$Holder",
        "java/lang/invoke/MethodHandleProxies$1",
        "net/bytebuddy/agent/builder/AgentBuilder$Default$ExecutingTransformer$ByteBuddy$Internal",
        "example/My$ByteBuddy$Strategies",
        "example/Report_20240115$$Lambda",
        "db/migration/V20240115123456__init",
        "script1",
        "example/scripted20240115123456",
        "jdk/MHProxy1",
        "example/Dao_$$_jvst",
        "example/Dao_0"}) {
    CAPTURE(name);
    CHECK(normalized_class_name(name) == name);
  }
}

TEST_CASE("normalized_module_name drops the number of modules of proxies") {
  CHECK(normalized_module_name("jdk.proxy2") == "jdk.proxy");
  CHECK(normalized_module_name("jdk.MHProxy1") == "jdk.MHProxy");
  for (const std::string_view name :
       {"java.base", "jdk.proxy", "jdk.proxy2x", "app.jdk.proxy2", "jdk.jfr", ""}) {
    CHECK(normalized_module_name(name) == name);
  }
}

namespace {

/// Names put together at random from the parts that the rules look at.
std::string random_name(std::mt19937& random) {
  static constexpr std::array<std::string_view, 44> parts = {"a/",
                                                             "Work",
                                                             "$$Lambda",
                                                             "$$",
                                                             "$",
                                                             "$5",
                                                             "+0x00007f",
                                                             "/0x1f",
                                                             ".0xab",
                                                             "/123456",
                                                             "/12",
                                                             "_0x12",
                                                             "$lambda$wrap$2",
                                                             "$2630016632",
                                                             "CGLIB",
                                                             "$$SpringCGLIB$$0",
                                                             "$$ab12cd34",
                                                             "FastClass",
                                                             "Guice",
                                                             "$ByteBuddy",
                                                             "$abcdefgh",
                                                             "$auxiliary",
                                                             "$MockitoMock",
                                                             "$12345678",
                                                             "_$$_jvst",
                                                             "856_0",
                                                             "_$$_javassist",
                                                             "_12",
                                                             "$Proxy12",
                                                             "jdk/proxy2/",
                                                             "jdk/MHProxy1/",
                                                             "jdk.MHProxy1.",
                                                             "[",
                                                             "L",
                                                             ";",
                                                             "script",
                                                             "1698855212345",
                                                             "sun/reflect/",
                                                             "GeneratedMethodAccessor7",
                                                             "net/bytebuddy/",
                                                             "renamed/",
                                                             ".",
                                                             "/",
                                                             "0"};
  std::uniform_int_distribution<std::size_t> length(1, 9);
  std::uniform_int_distribution<std::size_t> part(0, parts.size() - 1);
  std::string name;
  for (std::size_t i = length(random); i > 0; --i) name += parts[part(random)];
  return name;
}

}  // namespace

TEST_CASE("normalising a second time changes nothing") {
  std::mt19937 random(20'240'115);
  for (int i = 0; i < 200'000; ++i) {
    const std::string name = random_name(random);
    const std::string once = normalized_class_name(name);
    if (normalized_class_name(once) == once) continue;
    CAPTURE(name);
    CAPTURE(once);
    CHECK(normalized_class_name(once) == once);
    return;
  }
}

TEST_CASE("normalising only ever leaves something out") {
  std::mt19937 random(42);
  for (int i = 0; i < 50'000; ++i) {
    const std::string name = random_name(random);
    const std::string once = normalized_class_name(name);
    std::size_t kept = 0;
    for (const char c : name) {
      if (kept < once.size() && once[kept] == c) ++kept;
    }
    if (kept == once.size() && once.empty() == name.empty()) continue;
    CAPTURE(name);
    CAPTURE(once);
    CHECK(kept == once.size());
    CHECK(once.empty() == name.empty());
    return;
  }
}

TEST_CASE("normalising a library a second time changes nothing") {
  static constexpr std::array<std::string_view, 16> parts = {"/tmp/",
                                                             "lib",
                                                             "foo",
                                                             "1234567",
                                                             "123",
                                                             "-",
                                                             "_",
                                                             "x86_64",
                                                             ".so",
                                                             ".",
                                                             "/",
                                                             "d1f9bd24-4cc8-4571-b71c-1698b83f1af1",
                                                             "4f1ab20f1a5d3d3e",
                                                             "20150702",
                                                             "amd64",
                                                             " (deleted)"};
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> length(1, 8);
  std::uniform_int_distribution<std::size_t> part(0, parts.size() - 1);
  for (int i = 0; i < 50'000; ++i) {
    std::string name;
    for (std::size_t k = length(random); k > 0; --k) name += parts[part(random)];
    const std::string once = normalized_library_name(name);
    if (normalized_library_name(once) == once) continue;
    CAPTURE(name);
    CAPTURE(once);
    CHECK(normalized_library_name(once) == once);
    return;
  }
}
