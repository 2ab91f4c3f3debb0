#!/usr/bin/env bash
# Puts the release that is checked out in the place of the one that runs: `bash infra/docker/release.sh`.
# `build` only makes its images, named by version and commit. Forward and back are the same: docs/run/upgrade.md.
# Nothing of what runs is stopped before its successor is healthy; if that never comes, everything stays as it was.
set -Eeuo pipefail

main() {
  cd "$(git rev-parse --show-toplevel)"
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
  commit=$(git describe --always --dirty --abbrev=7 --exclude '*')
  release=$version-$commit
  images=$(compose config | sed -n 's/^ *image: \(blockdraw-[a-z]*\):local$/\1/p' | sort -u)
  build
  [ "${1:-}" = build ] || replace
}

# Compose v2 or 1.29; standard input may be this script, which no command shall read.
composer=docker-compose
if docker compose version >/dev/null 2>&1; then composer='docker compose'; fi
compose() { $composer "$@" </dev/null; }
say() { printf '%s  %s\n' "$(date -u +%H:%M:%S)" "$*"; }
has_image() { docker image inspect "$1" >/dev/null 2>&1; }
running() { compose ps -q "$1" 2>/dev/null | xargs -r docker inspect -f '{{if .State.Running}}{{.Id}}{{end}}' | grep . || true; }
count() { running "$1" | wc -l; }

# A release is built once. What .env puts into the pages is part of their name, as other values make other pages.
build() {
  local values name tag wanted=()
  values=$(compose config | sed -n '/^      args:/,/^      [a-z]/p' | sha256sum | cut -c1-8)
  for name in $images; do
    tag=$name:$release-$values
    case $commit in *-dirty) wanted+=("$name") ;; *) has_image "$tag" || wanted+=("$name") ;; esac
  done
  if [ ${#wanted[@]} -gt 0 ]; then
    say "building $release: ${wanted[*]}"
    # Built under the name that Compose knows, which then goes back to what runs until it is replaced.
    for name in $images; do ! has_image "$name:local" || docker tag "$name:local" "$name:running"; done
    compose build $(services_of "${wanted[@]}") >/dev/null
    for name in $images; do
      case " ${wanted[*]} " in *" $name "*) docker tag "$name:local" "$name:$release-$values" ;; esac
      ! has_image "$name:running" || docker tag "$name:running" "$name:local"
    done
  fi
  for name in $images; do
    docker tag "$name:$release-$values" "$name:$release"
    docker tag "$name:$release-$values" "$name:$version"
  done
  say "images of $release are there"
}

# One service for each image that has to be built.
services_of() {
  local name
  for name in "$@"; do
    case $name in blockdraw-server) echo migrate ;; *) echo "${name#blockdraw-}" ;; esac
  done
}

replace() {
  local name service
  for name in $images; do
    if has_image "$name:local"; then docker tag "$name:local" "$name:before"; fi
    docker tag "$name:$release" "$name:local"
  done
  if [ "$(count api)" = 0 ]; then
    compose up -d --no-build
    return
  fi
  trap 'say "$release could not take over: its images are set aside, what ran before goes on"; restore_images' ERR
  # Recreated only where their settings differ.
  for service in postgres redis; do
    [ "$(count $service)" = 0 ] || { compose up -d --no-build --no-deps $service && healthy $service; }
  done
  say 'migrating'
  compose run --rm -T --no-deps migrate
  # First the one that has the scripts and styles of both releases, then who makes pages that name the new ones.
  beside web
  beside api
  trap - ERR
  for service in $(compose config --services); do
    case $service in
      postgres | redis | migrate | api | web | door) continue ;;
      # A release before may not have had it.
      backup) compose up -d --no-build --no-deps backup && continue ;;
    esac
    [ "$(count "$service")" = 0 ] ||
      compose up -d --no-build --no-deps --scale "$service=$(count "$service")" "$service"
  done
  # A release before may have had no door.
  ! compose config --services | grep -qx door || { compose up -d --no-build --no-deps door && healthy door; }
  for service in worker; do healthy $service; done
  say "$release runs"
}

restore_images() {
  local name
  for name in $images; do has_image "$name:before" && docker tag "$name:before" "$name:local"; done
}

# As many new ones as there are old; when they are healthy the old ones go, one after the other.
beside() {
  local service=$1 old id wanted
  old=$(running "$service")
  wanted=$(wc -l <<<"$old")
  say "starting $wanted new $service beside the old"
  compose up -d --no-build --no-deps --no-recreate --scale "$service=$((2 * wanted))" "$service"
  for id in $(running "$service"); do
    case $old in *"$id"*) continue ;; esac
    if ! is_healthy "$id"; then
      docker logs --tail 20 "$id" || true
      for id in $(running "$service"); do case $old in *"$id"*) ;; *) docker rm -f "$id" >/dev/null ;; esac; done
      false
    fi
  done
  sleep 15 # the web server asks for the names of all once a second, the network's tables follow later
  for id in $old; do
    docker stop -t 30 "$id" >/dev/null
    docker rm "$id" >/dev/null
    sleep 10
  done
}

healthy() {
  local id
  for id in $(running "$1"); do is_healthy "$id"; done
}

# Two minutes: a machine that replaces everything is busy.
is_healthy() {
  local left=120
  while [ "$(docker inspect -f '{{if .State.Health}}{{.State.Health.Status}}{{else}}healthy{{end}}' "$1")" != healthy ]; do
    left=$((left - 1))
    if [ $left = 0 ]; then
      say "container ${1:0:12} is not healthy"
      return 1
    fi
    sleep 1
  done
}

main "$@"
exit
