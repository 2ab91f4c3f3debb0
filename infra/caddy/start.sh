#!/bin/sh
# Lays the scripts and styles of this release beside those of the release before, from which open pages still load, and takes older
# ones away; then Caddy begins. Files of that name never change, so two of these may run at once.
set -eu
cd "${ASSETS:-/assets}"
parts=${SITE:-/site}/_astro
mkdir -p _astro
cp -r "$parts/." _astro/
ls "$parts" >next.$$
if ! cmp -s next.$$ now; then
  [ ! -f now ] || mv now before
fi
mv next.$$ now
touch before
ls _astro | grep -vxFf now | grep -vxFf before | while read -r old; do rm -f "_astro/$old"; done || true
exec caddy run --config "${CADDYFILE:-/etc/caddy/Caddyfile}" --adapter caddyfile
