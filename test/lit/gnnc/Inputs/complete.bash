# complete.bash SCRIPT PROGRAM WORD...: prints, sorted, what the script completes the last word to.
source "$1"
program=$2
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function_name=_${program//-/_}
"$function_name"
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}" | sort
exit 0
