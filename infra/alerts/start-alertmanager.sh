#!/bin/sh
# Alertmanager with the addresses of ALERT_PAGE_URL, ALERT_DAILY_URL (that of pages, if not set) and
# ALERT_HEARTBEAT_URL (nobody, if not set), each also by NAME_FILE. They may hold a token: the shell alone handles them.
set -eu
umask 077
value() {
  eval "given=\${$1:-} file=\${$1_FILE:-}"
  if [ -n "$file" ]; then given=$(cat "$file"); fi
  case $given in *[\"\\]*) echo "$1 must be a URL." >&2; exit 1 ;; esac
}
value ALERT_PAGE_URL && page=$given
value ALERT_DAILY_URL && daily=${given:-$page}
value ALERT_HEARTBEAT_URL && heartbeat=$given
if [ -z "$page" ]; then
  echo 'ALERT_PAGE_URL is not set: nobody would be told.' >&2
  exit 1
fi
out=${TMPDIR:-/tmp}/alertmanager.yaml
while IFS= read -r line; do
  case $line in
    *'"ALERT_PAGE_URL"'*) url=$page name=ALERT_PAGE_URL ;;
    *'"ALERT_DAILY_URL"'*) url=$daily name=ALERT_DAILY_URL ;;
    *'"ALERT_HEARTBEAT_URL"'*) url=$heartbeat name=ALERT_HEARTBEAT_URL ;;
    *) printf '%s\n' "$line"; continue ;;
  esac
  if [ -n "$url" ]; then
    printf '%s%s%s\n' "${line%%"$name"*}" "$url" "${line#*"$name"}"
  else
    printf '    webhook_configs: []\n'
  fi
done <"${ALERTMANAGER_CONFIG:-/etc/blockdraw/alertmanager.yaml}" >"$out"
exec "${ALERTMANAGER:-alertmanager}" --config.file="$out" "$@"
