/**
 * `docker compose` for bash where only Compose 1 (`docker-compose`) is installed, for scripts too. That one runs `exec` in
 * the first container that was ever made, which may be gone; newer ones in the first that runs.
 */
export const docker = `docker() {
  if [ "$1" != compose ] || command docker compose version >/dev/null 2>&1; then command docker "$@"; return; fi
  shift
  local before=() options=() index
  while [ $# -gt 0 ] && [ "$1" != exec ]; do before+=("$1"); shift; done
  if [ $# -eq 0 ]; then command docker-compose "\${before[@]}"; return; fi
  shift
  while [[ "$1" == -* ]]; do options+=("$1"); shift; done
  index=$(command docker-compose "\${before[@]}" ps "$1" </dev/null 2>/dev/null |
    grep ' Up' | grep -oE "_$1_[0-9]+" | grep -oE '[0-9]+$' | head -n 1 || true)
  command docker-compose "\${before[@]}" exec "\${options[@]}" --index "\${index:-1}" "$@"
}
export -f docker`
