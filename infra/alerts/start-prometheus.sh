#!/bin/sh
# Prometheus, told where the site is: its configuration knows no variables.
set -eu
site=${PUBLIC_SITE_URL:-}
site=${site%/}
sites=${PROMETHEUS_SITES:-/tmp/site.json}
if [ -n "$site" ]; then
  printf '[{"targets": ["%s/", "%s/api/ready"]}]\n' "$site" "$site" >"$sites"
else
  echo 'PUBLIC_SITE_URL is not set: nobody visits the site from outside.' >&2
  echo '[]' >"$sites"
fi
exec prometheus --config.file="${PROMETHEUS_CONFIG:-/etc/blockdraw/prometheus.yaml}" \
  --storage.tsdb.path="${PROMETHEUS_DATA:-/prometheus}" \
  --storage.tsdb.retention.time="30d" "$@"
