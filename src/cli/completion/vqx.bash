# bash completion for vqx

_vqx()
{
    local current=$2 previous=$3
    local commands="score parity compare devices bench help"
    local flags="--reference --distorted --width --height --pixel_format --bitdepth --frame_skip_ref
        --frame_skip_dist --frame_cnt --subsample --shortest --feature --no_prediction --output --xml --json --csv --sub
        --precision --quiet --backend --device --threads --read_threads --cpumask --gpumask --modules --version --help --self-test --stages
        --require --case
        --size --depth --seconds --form"
    local options="debug= vif_enhn_gain_limit= vif_kernelscale= vif_prescale= vif_prescale_method= vif_scale1_min_val=
        vif_scale2_min_val= vif_scale3_min_val= vif_sigma_nsq= vif_skip_scale0="

    # bash makes words of its own of "=" and ":"
    if [[ $current == ":" ]]; then
        previous=:
    fi
    if [[ $current == "=" || $current == ":" ]]; then
        current=
    fi
    if [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --backend)
        local backends
        backends=$("$1" devices 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -u)
        COMPREPLY=($(compgen -W "auto $backends" -- "$current"))
        ;;
    --feature)
        compopt -o nospace
        COMPREPLY=($(compgen -W "float_vif float_vif=" -- "$current"))
        ;;
    float_vif | :)
        compopt -o nospace
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        ;;
    debug | vif_skip_scale0 | ssclz)
        COMPREPLY=($(compgen -W "true false" -- "$current"))
        ;;
    vif_prescale_method | pm)
        COMPREPLY=($(compgen -W "nearest bilinear bicubic lanczos4" -- "$current"))
        ;;
    vif_* | egl | ks | ps | s1miv | s2miv | s3miv | snsq) ;;
    --pixel_format | -p)
        COMPREPLY=($(compgen -W "420 422 444 400" -- "$current"))
        ;;
    --bitdepth | -b)
        COMPREPLY=($(compgen -W "8 9 10 11 12 13 14 15 16" -- "$current"))
        ;;
    --depth)
        COMPREPLY=($(compgen -W "8 10 12 16" -- "$current"))
        ;;
    --form)
        COMPREPLY=($(compgen -W "native fp64-free" -- "$current"))
        ;;
    --precision)
        COMPREPLY=($(compgen -W "max legacy 6 9 17" -- "$current"))
        ;;
    --modules)
        compopt -o filenames
        COMPREPLY=($(compgen -d -- "$current"))
        ;;
    --width | -w | --height | -h | --frame_skip_ref | --frame_skip_dist | --frame_cnt | --subsample | --device | \
        --threads | --read_threads | --cpumask | --gpumask | --size | --seconds) ;;
    *)
        if [[ $current == -* ]]; then
            COMPREPLY=($(compgen -W "$flags" -- "$current"))
        else
            compopt -o filenames
            COMPREPLY=($(compgen -f -- "$current"))
            if ((COMP_CWORD == 1)); then
                COMPREPLY+=($(compgen -W "$commands" -- "$current"))
            fi
        fi
        ;;
    esac
}
complete -F _vqx vqx
