#!/usr/bin/env bash
# Builds the images of the checked-out release for amd64 and arm64 and joins them under one name each:
# `bash infra/docker/images.sh`. With REGISTRY they are pushed, else they stay in this machine's store. A machine builds
# for the other architecture only where it can run its programs (binfmt with QEMU, or a remote builder); what it cannot
# is named, and the script ends with 3. Each half may also be built on a machine of its own, with PLATFORMS. Both images
# hold the pages, which are the same files for either: they are made on amd64, as the lock file has Astro's compiler for that alone.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
release=$version-$(git describe --always --dirty --abbrev=7 --exclude '*')
platforms=${PLATFORMS:-linux/amd64 linux/arm64}
prefix=${REGISTRY:+$REGISTRY/}blockdraw
case $(uname -m) in x86_64) own=linux/amd64 ;; aarch64 | arm64) own=linux/arm64 ;; *) own=linux/$(uname -m) ;; esac
tool=$(command -v podman || command -v docker)

# What the pages are made with: the same variables as in .env.
arguments=()
[ ! -f .env ] || { set -a && . ./.env && set +a; }
arguments+=(--build-arg "PUBLIC_CHAIN_ID=${CHAIN_ID:-56}" --build-arg "PUBLIC_USDT_ADDRESS=${USDT_ADDRESS:-}")
arguments+=(--build-arg "PUBLIC_OPERATOR_WALLET=${OPERATOR_WALLET:-}" --build-arg "PUBLIC_REOWN_PROJECT_ID=${REOWN_PROJECT_ID:-}")
for name in PUBLIC_RPC_URLS PUBLIC_API_URL PUBLIC_SITE_URL; do arguments+=(--build-arg "$name=${!name:-}"); done

runs() {
  [ "$1" = "$own" ] && return
  case $1 in linux/arm64) handler=qemu-aarch64 ;; linux/amd64) handler=qemu-x86_64 ;; *) return 1 ;; esac
  [ -e "/proc/sys/fs/binfmt_misc/$handler" ]
}

build() { # platform target arguments...
  echo "building $2 for $1"
  "$tool" build -q --platform "$1" --target "$2" "${@:3}" -f infra/docker/Dockerfile -t "$prefix-$2:$release-${1#linux/}" .
}

has() { "$tool" image inspect "$1" >/dev/null 2>&1; }

missing=()
for platform in $platforms; do
  if runs "$platform" && runs linux/amd64; then
    build "$platform" server "${arguments[@]}"
    build "$platform" web "${arguments[@]}"
  else
    missing+=("server and web for $platform")
  fi
done
for target in server web; do
  halves=()
  for platform in $platforms; do
    half=$prefix-$target:$release-${platform#linux/}
    has "$half" || continue
    [ -z "${REGISTRY:-}" ] || "$tool" push -q "$half"
    halves+=("$half")
  done
  [ ${#halves[@]} -gt 0 ] || continue
  "$tool" manifest rm "$prefix-$target:$release" >/dev/null 2>&1 || true
  if [ "${tool##*/}" = podman ]; then
    "$tool" manifest create "$prefix-$target:$release" >/dev/null
    for half in "${halves[@]}"; do
      "$tool" manifest add "$prefix-$target:$release" "containers-storage:$("$tool" image inspect -f '{{index .RepoTags 0}}' "$half")" >/dev/null
    done
    [ -z "${REGISTRY:-}" ] || for tag in "$release" "$version"; do
      "$tool" manifest push --all "$prefix-$target:$release" "docker://$prefix-$target:$tag"
    done
  elif [ -n "${REGISTRY:-}" ]; then
    # Docker joins what a registry has.
    for tag in "$release" "$version"; do
      "$tool" manifest create --amend "$prefix-$target:$tag" "${halves[@]}" >/dev/null
      "$tool" manifest push "$prefix-$target:$tag" >/dev/null
    done
  fi
  echo "$prefix-$target:$release joins ${halves[*]##*:}"
done
if [ ${#missing[@]} -gt 0 ]; then
  printf 'not built here, as this machine cannot run its programs or has no base image of it: %s\n' "${missing[@]}"
  exit 3
fi
