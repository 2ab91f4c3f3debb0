import { resolve } from 'node:path'
import { until } from '../../lab/until.ts'

const settleMs = 10_000

type Options = {
  /** Where the files are, and what their paths start from. */
  directory: string
  project: string
  files: readonly string[]
  env: Record<string, string>
  /** Read instead of `.env`, which belongs to a product that may run here. */
  envFile: string
}

/** The engine is that of DOCKER_HOST. */
export function composed({ directory, project, files, env, envFile }: Options) {
  const program = composeCommand()
  if (!program) throw new Error('Neither `docker compose` nor `docker-compose` is installed.')
  const command = [
    ...program,
    ...['--project-directory', directory, '--env-file', envFile, '-p', project],
    ...files.flatMap((file) => ['-f', resolve(directory, file)]),
  ]
  const vars = { ...process.env, ...env, COMPOSE_HTTP_TIMEOUT: '300' }
  const compose = (...args: string[]) => run(directory, [...command, ...args], vars)

  async function containers(service: string): Promise<string[]> {
    const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`]
    const filters = encodeURIComponent(JSON.stringify({ label: labels, status: ['running'] }))
    return (await engine<{ Id: string }[]>('GET', `/containers/json?filters=${filters}`)).map(({ Id }) => Id)
  }
  async function isHealthy(id: string): Promise<boolean> {
    const { State } = await engine<{ State: { Running: boolean; Health?: { Status: string } } }>(
      'GET',
      `/containers/${id}/json`,
    )
    return State.Running && State.Health?.Status === 'healthy'
  }
  const signal = async (id: string, name: string) =>
    void (await engine('POST', `/containers/${id}/kill?signal=${name}`))
  return {
    /** Runs a compose command and returns its output; throws with the output when it fails. */
    compose,
    /** Ids of the running containers of a service. */
    containers,
    /** As when the machine runs out of memory. */
    kill: (id: string) => signal(id, 'SIGKILL'),
    /** Its connections are taken and nothing is answered, as by a program that hangs. */
    freeze: (id: string) => signal(id, 'SIGSTOP'),
    /** SIGTERM, a wait, start, and healthy again. */
    restart: async (id: string) => {
      await engine('POST', `/containers/${id}/restart?t=30`)
      // Right after a start the health may still be the old one, and the network tables of other containers
      // get the new container a little later.
      await Bun.sleep(settleMs)
      await untilUp(() => isHealthy(id), `container ${id.slice(0, 12)} is healthy again`)
    },
    /** Resolves when every container of the service is healthy. */
    healthy: (service: string) =>
      untilUp(async () => {
        const ids = await containers(service)
        return ids.length > 0 && (await Promise.all(ids.map(isHealthy))).every(Boolean)
      }, `${service} is healthy`),
  }
}

/** Containers come and go meanwhile: a question that fails is a no. */
export const untilUp = async (holds: () => Promise<unknown>, what: string): Promise<void> =>
  void (await until(() => holds().catch(() => false), what, 120_000))

/** Undefined where neither `docker compose` nor `docker-compose` is installed. */
export function composeCommand(): string[] | undefined {
  const works = (command: string[]) =>
    Bun.which(command[0] as string) !== null && Bun.spawnSync([...command, 'version']).exitCode === 0
  if (![['docker', 'compose'], ['docker-compose']].some(works)) return undefined
  return ['bash', '-c', `${docker}\ndocker compose "$@"`, 'bash']
}

export async function run(
  cwd: string,
  command: string[],
  env: Record<string, string | undefined> = process.env,
): Promise<string> {
  const child = Bun.spawn(command, { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const told = command.slice(-4).join(' ').replace(`${docker}\n`, '')
  if (code !== 0) throw new Error(`${told} ended with ${code}:\n${out}${errors}`)
  return out
}

export const isPodman = async (): Promise<boolean> =>
  /podman/i.test(JSON.stringify(await engine('GET', '/version')))

/** The engine's own API, which can restart single containers of a service; compose restarts all at once. */
async function engine<T>(method: string, path: string): Promise<T> {
  const host = process.env.DOCKER_HOST || 'unix:///var/run/docker.sock'
  const unix = host.startsWith('unix://') ? host.slice('unix://'.length) : undefined
  const base = unix ? 'http://engine' : host.replace(/^tcp:/, 'http:')
  const response = await fetch(`${base}/v1.40${path}`, { method, ...(unix && { unix }), timeout: false })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text ? JSON.parse(text) : undefined) as T
}

/** `docker compose` where only Compose 1 is installed, whose `exec` would look for the container that was made first. */
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
