# Components: runtime (the program, a shared library) and development (headers, a static library,
# the CMake package, the pkg-config file).
include(CMakePackageConfigHelpers)

set(jfrtree_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jfrtree")

install(TARGETS jfrtree
  EXPORT jfrtree-targets
  RUNTIME COMPONENT runtime
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/jfrtree"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT jfrtree-targets
  NAMESPACE jfrtree::
  DESTINATION "${jfrtree_package_dir}"
  COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/jfrtree-config.cmake.in"
  "${PROJECT_BINARY_DIR}/jfrtree-config.cmake"
  INSTALL_DESTINATION "${jfrtree_package_dir}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/jfrtree-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(
  FILES
    "${PROJECT_BINARY_DIR}/jfrtree-config.cmake"
    "${PROJECT_BINARY_DIR}/jfrtree-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindLZ4.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findre2.cmake"
  DESTINATION "${jfrtree_package_dir}"
  COMPONENT development)

# The folders of the .pc file are relative to it, so that the installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
  BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE jfrtree_pc_libdir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
  BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE jfrtree_pc_includedir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE jfrtree_pc_prefix)
configure_file(
  "${PROJECT_SOURCE_DIR}/cmake/jfrtree.pc.in" "${PROJECT_BINARY_DIR}/jfrtree.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/jfrtree.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

if(TARGET jfrtree_cli)
  install(TARGETS jfrtree_cli RUNTIME COMPONENT runtime)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT runtime)
