#!/usr/bin/env bash
# Keeps the database and the pictures in the restic repository of RESTIC_REPOSITORY, and brings them back:
#   run                                     a backup an hour, one a week tried by restoring it; for the container
#   once                                    one backup now
#   restore [SNAPSHOT] [--reset-credentials]  into the empty database of DATABASE_URL; a snapshot of `restic snapshots --tag database`
#   healthy                                 whether the newest backup and the newest trial are young enough
# Needs Postgres' own tools, of the server's major version or newer, and restic. A snapshot is encrypted and signed with RESTIC_PASSWORD:
# whoever can write to the bucket can neither read it nor make one that is taken for ours.
set -Eeuo pipefail

place=${BACKUP_DIR:-/data/backup} uploads=${UPLOADS_DIR:-/data/uploads}
url=${DATABASE_URL:-}
if [ -z "$url" ] && [ -n "${DATABASE_URL_FILE:-}" ]; then url=$(cat "$DATABASE_URL_FILE"); fi
export RESTIC_CACHE_DIR=${RESTIC_CACHE_DIR:-$place/cache} PGOPTIONS='-c search_path=public'
ours=(--host blockdraw)

say() { printf '%s  %s\n' "$(date -u +%FT%TZ)" "$*"; }
stop() { echo "$*" >&2 && exit 1; }
ask() { psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
# Not older than so many minutes.
is_young() { [ -n "$(find "$place/$1" -mmin "-$2" 2>/dev/null)" ]; }

# The number of rows of every table that a backup brings back.
unkept=(sessions passkey_challenges)
left_out=$(printf "'%s'," "${unkept[@]}")
counts="select format('select %L, count(*) from public.%I', relname, relname) from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in (${left_out%,}) order by 1 \\gexec"

# Sessions and what a device is asked to sign stay out: they could have been ended since.
dump() {
  local snapshot line
  # One snapshot for the dump and for the counts that it is compared with.
  coproc reader { ask "$url"; }
  printf '%s\n' 'set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read read only;' \
    'select pg_export_snapshot();' "$counts" '\echo end' >&"${reader[1]}"
  read -r snapshot <&"${reader[0]}"
  while read -r line <&"${reader[0]}" && [ "$line" != end ]; do echo "$line"; done >"$place/counts"
  [ "$line" = end ]
  rm -f "$place/dump" && mkfifo "$place/dump"
  restic backup -q "${ours[@]}" --tag database --stdin --stdin-filename database.dump <"$place/dump" &
  local restic=$!
  # A dump that is cut short must not become a snapshot. restic compresses by itself.
  {
    pg_dump -Fc -Z0 --no-owner --no-privileges --snapshot="$snapshot" --exclude-schema=bullmq \
      "${unkept[@]/#/--exclude-table-data=public.}" "$url" || kill "$restic"
  } >"$place/dump"
  wait "$restic"
  printf '\\q\n' >&"${reader[1]}"
}

once() {
  exec 9>"$place/lock" && { flock -n 9 || stop 'Another backup is being made.'; }
  restic cat config >/dev/null 2>&1 || restic init -q
  restic unlock -q
  dump
  # After the dump: each picture that it names is there. None is ever overwritten.
  if [ -n "$(ls -A "$uploads" 2>/dev/null)" ]; then (cd "$uploads" && restic backup -q "${ours[@]}" --tag uploads --exclude frozen .); fi
  local day
  day=$(date -u +%F)
  [ -e "$place/forgotten-$day" ] ||
    if restic forget -q "${ours[@]}" --group-by host,tags --keep-hourly 24 --keep-daily 14 --keep-weekly 8 --prune; then
      rm -f "$place"/forgotten-* && touch "$place/forgotten-$day"
    else
      say 'Old backups stay: the bucket takes no deletion. Where it is append-only, its own rule removes them.'
    fi
  touch "$place/made"
  say "A backup was made: $(awk -F'|' '{ rows += $2 } END { print rows + 0 }' "$place/counts") rows."
  is_young checked 10080 || try
  note backup_made "$day" "{\"madeAt\":\"$(date -u +%FT%TZ)\"}"
}

# Restores the newest backup into a server of its own, which is thrown away, and compares the counts.
try() {
  scratch=$place/scratch
  stop_scratch() { pg_ctl -s -D "$scratch" -m immediate stop 2>/dev/null || true; }
  stop_scratch && rm -rf "$scratch" && trap stop_scratch EXIT
  initdb -D "$scratch" -U blockdraw -A trust --encoding=UTF8 --locale=C --no-sync >/dev/null
  pg_ctl -s -w -D "$scratch" -l "$place/scratch.log" -o "-k $scratch -c listen_addresses='' -c fsync=off -c max_parallel_maintenance_workers=0" start
  local there="postgresql:///postgres?host=$scratch&user=blockdraw"
  load "$there" latest 'commit;'
  ask "$there" <<<"$counts" | diff "$place/counts" - || stop 'The backup that was tried brings back other numbers of rows (left: as they were).'
  stop_scratch && rm -rf "$scratch"
  touch "$place/checked"
  say 'The backup was restored, and has the same rows.'
}

# load URL SNAPSHOT LAST: all of it in one transaction; LAST is what ends it, and is not reached where the backup is damaged.
load() {
  {
    echo 'begin;'
    restic dump "${ours[@]}" --tag database "$2" database.dump | pg_restore --no-owner --no-privileges -f - &&
      printf 'set search_path = public;\n%s\n' "$3"
  } | ask "$1" >/dev/null
}

restore() {
  local snapshot=latest reset='' word
  for word in "$@"; do
    case $word in --reset-credentials) reset=yes ;; -*) stop "What is $word?" ;; *) snapshot=$word ;; esac
  done
  [ -n "$url" ] || stop 'DATABASE_URL has to name the new, empty database, with the login that will own the tables.'
  local found="select count(*) from pg_class where relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))"
  [ "$(ask "$url" -c "$found")" = 0 ] || stop 'The database of DATABASE_URL is not empty: restore into a new, empty one.'
  # Pages that saw a later version than the backup still get changes. The house is shut until it was compared with the chain.
  local last='update house set version = version + 1000000, shut_since = now();'
  # Nobody knows a password of these; `admin reset-password` makes new ones.
  [ -z "$reset" ] || last+="
    update admins set otp_secret = null, otp_pending_secret = null, otp_pending_since = null, otp_confirmed_at = null, otp_last_step = 0, one_time_until = null, recovery_hashes = '{}',
      password_hash = regexp_replace(password_hash, '[^\$]+\$', rtrim(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'base64'), '='));
    delete from passkeys;"
  local pictures
  pictures=$(restic snapshots "${ours[@]}" --tag uploads --json)
  case $pictures in *short_id*) restic restore -q "${ours[@]}" --tag uploads latest --target "$uploads" ;; esac
  load "$url" "$snapshot" "$last commit;"
  echo 'Restored. Compare what may have been changed by whoever made this backup:'
  ask "$url" -c "select format('  event %s is paid to %s', number, coalesce(operator_wallet, 'nobody')) from events order by number desc limit 3"
  ask "$url" -c "select format('  administrator %s, %s%s', username, case when read_only then 'read-only' else 'full' end, case when disabled_at is not null then ', removed' else '' end) from admins order by id"
  echo 'The house is shut. Next: migrate, which makes the logins of the programs; then'
  [ -z "$reset" ] || ask "$url" -c "select format('  admin reset-password %s', username) from admins where disabled_at is null order by id"
  echo '  admin after-restore'
}

# The dashboard's first steps look for a backup; who is to be told of a failure is told. Never a reason to fail.
note() {
  ask "$url" -v kind="$1" -v subject="$2" -v facts="$3" >/dev/null 2>&1 <<<"insert into notifications (kind, subject, facts)
    values (:'kind', :'subject', :'facts') on conflict do nothing" || true
  # For Prometheus, by the machine's exporter.
  for word in made checked; do
    [ ! -e "$place/$word" ] || echo "blockdraw_backup_${word}_seconds $(date -r "$place/$word" +%s)"
  done >"$place/backup.prom.part" && mv "$place/backup.prom.part" "$place/backup.prom"
}

run() {
  [ -n "${RESTIC_REPOSITORY:-}" ] || say 'RESTIC_REPOSITORY is not set: no backup is made.'
  while :; do
    if [ -n "${RESTIC_REPOSITORY:-}" ] && ! is_young made 60 && ! bash "$0" once; then
      say 'The backup has failed; it is tried again in five minutes.'
      note backup_failed "make $(date -u +%FT%H)" '{"step":"make"}'
    fi
    sleep 300 &
    wait $!
  done
}

mkdir -p "$place" && cd "$place"
trap 'kill $(jobs -p) 2>/dev/null; exit 143' TERM INT
case ${1:-} in
  run | once | restore) "$@" ;;
  healthy) is_young made 130 && is_young checked 11520 ;;
  *) sed -n '2,7p' "$0" && exit 64 ;;
esac
