# Completes manager and window in bash. In ~/.bashrc: source <(manager completion bash)
_multitext() {
    local line word=$2
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :files)
                compopt -o filenames 2>/dev/null
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
                ;;
            ':files '*)
                compopt -o filenames 2>/dev/null
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
                    compgen -d -- "$word"
                    compgen -f -X "!*.${line#:files }" -- "$word"
                )
                ;;
            *)
                line=${line%%$'\t'*}
                COMPREPLY+=("$line")
                [[ $line != *[=/] ]] || compopt -o nospace 2>/dev/null
                ;;
        esac
    done < <(DIR/"${1##*/}" __complete "$COMP_CWORD" "${COMP_WORDS[@]:1}" 2>/dev/null)
}
complete -F _multitext manager window
