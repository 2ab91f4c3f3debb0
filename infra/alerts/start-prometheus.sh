#!/bin/sh
# Prometheus, told where the site is: its configuration knows no variables.
set -eu
site=${PUBLIC_SITE_URL:-}
site=${site%/}
if [ -n "$site" ]; then
  printf '[{"targets": ["%s/", "%s/api/ready"]}]\n' "$site" "$site" >/tmp/site.json
else
  echo 'PUBLIC_SITE_URL is not set: nobody visits the site from outside.' >&2
  echo '[]' >/tmp/site.json
fi
exec prometheus --config.file=/etc/blockdraw/prometheus.yaml --storage.tsdb.path=/prometheus \
  --storage.tsdb.retention.time="${PROMETHEUS_DAYS:-30}d" "$@"
