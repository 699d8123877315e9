#include "documentation/bash_completion.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::app {
namespace {

// How the script works: it walks over the words before the cursor. A word that names a subcommand extends the
// path ("ergon fleet analyze"); an option that takes a value is followed by one; any other word is an
// argument. Two generated tables hold what is known: _ergon_words has the subcommands and options of a path,
// _ergon_kind says what follows an option ("ergon tune --device") or is an argument ("ergon tune 1").
//
// bash splits words at "=": "--batch=8" arrives as three words.
constexpr const char* kScript = R"bash(
# Completes the word `cur` from `kind`. In a list (a,b,c) only the part after the last comma is completed.
_ergon_complete() {
  local before= part=$cur words=
  if [[ $list && $cur == *,* ]]; then
    before=${cur%,*},
    part=${cur##*,}
  fi
  case $kind in
    words:*) words=${kind#words:} ;;
    network) words=$_ergon_networks ;;
    device) words=$_ergon_devices ;;
    accelerator) words=$_ergon_accelerators ;;
    memory) words=$_ergon_memories ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$part"))
  local IFS=$'\n'
  case $kind in
    file | network | device | accelerator | memory)
      COMPREPLY+=($(compgen -f -- "$part"))
      compopt -o filenames 2>/dev/null
      ;;
    folder)
      COMPREPLY+=($(compgen -d -- "$part"))
      compopt -o filenames 2>/dev/null
      ;;
    command) COMPREPLY+=($(compgen -c -- "$part")) ;;
  esac
  if [[ $before ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
  fi
}

_ergon() {
  local IFS=$' \t\n'
  local cur=${COMP_WORDS[COMP_CWORD]} path=ergon arguments=0 waiting= commands options kind list word i
  COMPREPLY=()
  [[ $cur == "=" ]] && cur=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then
      continue
    elif [[ $waiting ]]; then
      waiting=
    elif [[ $word == -* ]]; then
      _ergon_kind "$path" "$word"
      [[ $kind ]] && waiting=$word
    elif [[ $path == ergon && $word == help ]]; then
      continue
    else
      _ergon_words "$path"
      if ((arguments == 0)) && [[ " $commands " == *" $word "* ]]; then
        path+=" $word"
      else
        ((++arguments))
      fi
    fi
  done
  if [[ $waiting ]]; then
    _ergon_kind "$path" "$waiting"
    _ergon_complete
    return
  fi
  _ergon_words "$path"
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  if ((arguments == 0)); then
    kind=words:$commands list=
    _ergon_complete
  fi
  local found=("${COMPREPLY[@]}")
  _ergon_kind "$path" $((arguments + 1))
  _ergon_complete
  COMPREPLY=("${found[@]}" "${COMPREPLY[@]}")
}

complete -F _ergon ergon
)bash";

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

bool is_list(const OptionHelp& option) { return option.placeholder.ends_with(",..."); }

// The placeholder without ",...".
std::string element_of(const OptionHelp& option) {
  std::string text = option.placeholder.empty() ? option.names.front() : option.placeholder;
  if (is_list(option)) text.resize(text.size() - std::string_view(",...").size());
  return text;
}

// What completes the value of an option or an argument; "text" if nothing does.
std::string kind_of(const OptionHelp& option) {
  if (!option.values.empty()) return "words:" + joined(option.values);
  const std::string element = element_of(option);
  if (element.find('|') != std::string::npos) {
    std::string words = "words:" + element;
    std::replace(words.begin(), words.end(), '|', ' ');
    return words;
  }
  const std::string& name = option.names.back();
  if (name == "--device" || element == "D" || element == "DEVICE") return "device";
  if (name == "--accelerator") return "accelerator";
  if (name == "--memory" || name == "--memories") return "memory";
  for (const char* network : {"NET", "NETWORK"}) {
    if (element == network) return "network";
  }
  for (const char* file : {"FILE", "PATH", "DOCUMENT", "PART", "LEFT", "RIGHT"}) {
    if (element == file) return "file";
  }
  for (const char* folder : {"DIR", "OUTDIR"}) {
    if (element == folder) return "folder";
  }
  return element == "CMD" ? "command" : "text";
}

std::string words_case(const CommandHelp& command) {
  std::vector<std::string> commands, options;
  for (const CommandHelp& child : command.children) commands.push_back(child.name());
  if (command.is_root()) commands.emplace_back("help");
  for (const auto* group : {&command.options, &command.global_options}) {
    for (const OptionHelp& option : *group)
      options.insert(options.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("    '{}') commands='{}' options='{}' ;;\n", command.path, joined(commands),
                     joined(options));
}

std::string kind_case(const std::string& pattern, const OptionHelp& option) {
  return fmt::format("    {}) kind='{}'{} ;;\n", pattern, kind_of(option),
                     is_list(option) ? " list=yes" : "");
}

std::string kind_cases(const CommandHelp& command) {
  std::string out;
  for (const OptionHelp& option : command.options) {
    if (option.placeholder.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(fmt::format("'{} {}'", command.path, name));
    out += kind_case(fmt::format("{}", fmt::join(patterns, " | ")), option);
  }
  int position = 1;
  for (const OptionHelp& argument : command.arguments) {
    const std::string one = fmt::format("'{} {}'", command.path, position++);
    out += kind_case(argument.repeated ? fmt::format("'{} '[1-9]*", command.path) : one, argument);
  }
  return out;
}

template <typename Text>
std::string for_all(const CommandHelp& command, const Text& text) {
  std::string out = text(command);
  for (const CommandHelp& child : command.children) out += for_all(child, text);
  return out;
}

// Global options are accepted after every command.
std::string global_kind_cases(const CommandHelp& root) {
  std::string out;
  for (const OptionHelp& option : root.global_options) {
    if (!option.placeholder.empty()) out += kind_case("*' " + option.names.back() + "'", option);
  }
  return out;
}

}  // namespace

std::string bash_completion(const CommandHelp& root, const CompletionNames& names) {
  std::string out = "# Completion of ergon in bash, made from the options of the program.\n\n";
  out += fmt::format("_ergon_networks='{}'\n", joined(names.networks));
  out += fmt::format("_ergon_devices='{}'\n", joined(names.devices));
  out += fmt::format("_ergon_accelerators='{}'\n", joined(names.accelerators));
  out += fmt::format("_ergon_memories='{}'\n", joined(names.memories));
  out += "\n# _ergon_words PATH: sets `commands` and `options`.\n_ergon_words() {\n  case $1 in\n";
  out += for_all(root, words_case);
  out += "    *) commands= options= ;;\n  esac\n}\n";
  out += "\n# _ergon_kind PATH OPTION, or PATH NUMBER for an argument: sets `kind` and `list`.\n";
  out += "_ergon_kind() {\n  kind= list=\n  case \"$1 $2\" in\n";
  out += for_all(root, kind_cases) + global_kind_cases(root);
  return out + "  esac\n}\n" + kScript;
}

}  // namespace ergon::app
