# Lets the rest of `.ci/run`, which sources this, run as on a machine where nothing ran before, and tells what it left there.
#
# Home, temporary files and caches are empty folders below `$fresh`. What names /tmp itself, whatever TMPDIR says, is caught where
# root may mount: there /tmp and /var/tmp are empty folders too, in sight of this run alone. So all that is left in them is of this
# run, whatever else the machine does meanwhile. Elsewhere only those names are known that tests once left there.

hidden=(/tmp /var/tmp)
known=(/tmp/fonts /tmp/fonts-cache /tmp/chromium /tmp/chromium-pack /tmp/al2023)

go_to_fresh_machine() {
  if [ "${1:-}" = --hidden ]; then
    fresh=$2
    hide || exit 1
  else
    make_fresh || exit 1
    if may_hide; then
      unshare --mount --propagation private -- bash .ci/run --hidden "$fresh"
      exit
    fi
    for place in "${known[@]}"; do [ ! -e "$place" ] || mv "$place" "$fresh/aside/" 2>/dev/null; done
  fi
  set_environment
}

make_fresh() {
  # Others run by root must get through, as through /tmp.
  fresh=$(mktemp -d /tmp/capstan-ci.XXXXXX 2>/dev/null || mktemp -d) && chmod 711 "$fresh" || return
  trap leave EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  mkdir "$fresh"/{home,cache,npm,aside,tmp} && chmod 700 "$fresh"/{home,cache,npm,aside} && chmod 1777 "$fresh/tmp" || return
  # How to reach the registry is kept, what was fetched from it before is not.
  local settings
  settings=$(npm config get userconfig) && [ -f "$settings" ] && (umask 077 && cp "$settings" "$fresh/npmrc")
  npm ping --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1 || {
    echo 'The registry does not answer: what npm fetched before is used.'
    rmdir "$fresh/npm"
  }
}

leave() {
  local place
  for place in "$fresh"/aside/*; do [ ! -e "$place" ] || mv -n "$place" /tmp/; done
  rm -rf "$fresh"
}

# Whether it works here, and hides nothing that is needed.
may_hide() {
  local place tool
  [ "$(id -u)" = 0 ] || return
  for place in "${hidden[@]}"; do
    [ -d "$place" ] && [ ! -L "$place" ] || return
    for tool in bash node npm git; do
      case $(realpath "$(command -v "$tool")") in "$place"/*) return 1 ;; esac
    done
    mkdir -p "$fresh/hidden$place" && chmod 1777 "$fresh/hidden$place" || return
  done
  unshare --mount --propagation private -- mount --bind "$fresh/hidden/tmp" /tmp 2>/dev/null
}

hide() {
  local place kept
  for place in "${hidden[@]}"; do
    for kept in "$fresh" "$PWD"; do
      case $kept in
        "$place"/*) mkdir -p "$fresh/hidden$kept" && mount --bind "$kept" "$fresh/hidden$kept" || return ;;
      esac
    done
  done
  for place in "${hidden[@]}"; do mount --rbind "$fresh/hidden$place" "$place" || return; done
  cd "$PWD"
}

set_environment() {
  # Behind a version manager there may be a program that looks into the home folder.
  PATH=$(dirname "$(node -p process.execPath)"):$PATH
  export HOME=$fresh/home TMPDIR=$fresh/tmp XDG_CACHE_HOME=$fresh/cache
  [ ! -d "$fresh/npm" ] || export npm_config_cache=$fresh/npm
  [ ! -f "$fresh/npmrc" ] || export npm_config_userconfig=$fresh/npmrc
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR NODE_COMPILE_CACHE
  unset HOST PORT EXTERNAL_URL DATA_DIR DATABASE_URL WORKERS SECRET_KEY_BASE LOG_LEVEL
  unset API_VERSION INITIAL_ROOT_TOKEN INITIAL_ROOT_PASSWORD
}

# Only what the README names may be elsewhere: /var/lib/capstan. What tests make in TMPDIR they must remove.
nothing_left() {
  local left place entry
  left=$(find "$fresh/home" -mindepth 1 -maxdepth 1
    # Caches that Node and a generator keep among temporary files, and what a browser that was killed leaves there.
    find "$fresh/tmp" -mindepth 1 -maxdepth 1 ! -name node-compile-cache ! -name jiti ! -name '.org.chromium.*')
  if [ -d "$fresh/hidden" ]; then
    for place in "${hidden[@]}"; do
      while read -r entry; do
        case $fresh/ in "$entry"/*) continue ;; esac
        case $PWD/ in "$entry"/*) continue ;; esac
        left+=$'\n'$entry
      done < <(find "$place" -mindepth 1 -maxdepth 1)
    done
  else
    for place in "${known[@]}"; do [ ! -e "$place" ] || left+=$'\n'$place; done
  fi
  [ -z "${left//[[:space:]]/}" ] || { echo "Left behind: $left"; return 1; }
}
