# Compiles SOURCE twice. As it stands it must compile, which shows that nothing else is wrong with it; with
# -DMUST_NOT_COMPILE it must fail, with a message that matches the pattern in its first line:  // error: PATTERN
file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
string(REGEX REPLACE "^// error: " "" pattern "${first}")
set(command "${COMPILER}" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "${INCLUDE}" -I "${INCLUDE}/../include" "${SOURCE}")

execute_process(COMMAND ${command} RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
  message(FATAL_ERROR "The control does not compile:\n${message}")
endif()
execute_process(COMMAND ${command} -DMUST_NOT_COMPILE RESULT_VARIABLE failed ERROR_VARIABLE message)
if(NOT failed)
  message(FATAL_ERROR "This compiles and must not: ${SOURCE}")
endif()
if(NOT message MATCHES "${pattern}")
  message(FATAL_ERROR "It fails for another reason than \"${pattern}\":\n${message}")
endif()
