#!/bin/sh
# Redis with the password of REDIS_PASSWORD or of the file that REDIS_PASSWORD_FILE names. It is read from the
# standard input: what is typed after a program's name can be seen by every process of the machine.
set -eu
if [ -n "${REDIS_PASSWORD_FILE:-}" ]; then
  REDIS_PASSWORD=$(cat "$REDIS_PASSWORD_FILE")
fi
if [ -z "${REDIS_PASSWORD:-}" ]; then
  echo 'REDIS_PASSWORD is not set.' >&2
  exit 1
fi
line=$(printf 'requirepass "%s"' "$(printf %s "$REDIS_PASSWORD" | sed 's/[\\"]/\\&/g')")
unset REDIS_PASSWORD
settings=$(cat "${REDIS_CONF:-/etc/redis.conf}")
# The public image's own entry takes root's rights away, and adds words of its own behind ours.
exec $(command -v docker-entrypoint.sh || true) redis-server - "$@" <<END
$settings
$line
END
