# cmake -DINPUTS=a;b;… -DOUTPUT=… -P concatenate.cmake: writes the files one after the other.
set(text "")
foreach(input IN LISTS INPUTS)
  file(READ "${input}" part)
  string(APPEND text "${part}")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
