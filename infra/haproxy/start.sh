#!/usr/bin/env bash
# Starts HAProxy with the certificates that Caddy has got, and hands it each new one while it runs: no connection is cut.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
store=${CADDY_DATA:-/caddy}/caddy/certificates
export DOOR_FILES=$here CERTIFICATES=${CERTIFICATES:-/tmp/certificates}
[ ! -e /proc/net/if_inet6 ] || export HAS_IPV6=1
mkdir -p "$CERTIFICATES"

# Chain and key of each name in one file, as HAProxy reads it; the newest of two issuers. Prints what has changed.
gather() {
  local crt pem seen=
  for crt in $(ls -t "$store"/*/*/*.crt 2>/dev/null); do
    pem=$CERTIFICATES/$(basename "$crt" .crt).pem
    case $seen in *" $pem "*) continue ;; esac
    seen+=" $pem "
    cat "$crt" "${crt%.crt}.key" 2>/dev/null | grep . >/tmp/door.pem || continue
    cmp -s /tmp/door.pem "$pem" || { cp /tmp/door.pem "$pem" && echo "$pem"; }
  done
}

tell() {
  exec 3<>/dev/tcp/127.0.0.1/8091 || return
  printf '%b\n' "$1" >&3
  cat <&3
  exec 3>&-
}

# The first of a name is added, a renewed one takes its place.
hand_over() {
  local pem
  while sleep "${DOOR_LOOKS_EVERY:-10}" && kill -0 $$; do
    for pem in $(gather); do
      tell "new ssl cert $pem" >/dev/null
      tell "set ssl cert $pem <<\n$(cat "$pem")\n" >/dev/null
      if tell "commit ssl cert $pem" | grep -q Success; then
        tell "add ssl crt-list $CERTIFICATES $pem" >/dev/null
        echo "{\"message\":\"certificate taken\",\"file\":\"$(basename "$pem")\"}"
      else
        rm "$pem" # looked at again
      fi
    done
  done
}

case ${SITE_ADDRESS:-} in */* | *:*)
  echo 'SITE_ADDRESS is a name such as raffle.example, or empty for a trial by http.' >&2
  exit 1 ;;
esac
umask 077
gather >/dev/null
if [ -n "${SITE_ADDRESS:-}" ]; then (set +e; hand_over) & fi
exec haproxy -db -f "$here/haproxy.cfg"
