# Completes manager and window in fish. In ~/.config/fish/config.fish: manager completion fish | source
function __multitext_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '.*/' '' -- $words[1])
    set -l word (commandline -ct)
    for line in (DIR/$program __complete (count $words) $words[2..] $word 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$word"
            case ':files *'
                __fish_complete_suffix .(string replace ':files ' '' -- $line)
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c manager -f -a '(__multitext_complete)'
complete -c window -f -a '(__multitext_complete)'
