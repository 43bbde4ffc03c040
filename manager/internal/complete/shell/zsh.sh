# Completes manager and window in zsh. In ~/.zshrc: source <(manager completion zsh)
_multitext() {
    local line text shown
    local -a whole whole_shown begun begun_shown
    for line in "${(@f)$(DIR/"${words[1]:t}" __complete $((CURRENT - 1)) "${(@Q)words[2,-1]}" 2>/dev/null)}"; do
        text=${line%%$'\t'*} shown=$text
        (( $#text > 16 )) || shown=${(r:16:)text}
        shown+="  ${line#*$'\t'}"
        case $line in
            '') ;;
            :files) _files ;;
            ':files '*) _files -g "*.${line#:files }" ;;
            *[=/]$'\t'*) begun+=("$text") begun_shown+=("$shown") ;;
            *) whole+=("$text") whole_shown+=("$shown") ;;
        esac
    done
    (( ! $#whole )) || compadd -l -d whole_shown -a whole
    (( ! $#begun )) || compadd -S '' -l -d begun_shown -a begun
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _multitext manager window
