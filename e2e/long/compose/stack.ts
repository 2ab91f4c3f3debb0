import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Hash } from 'viem'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { freePort } from '../../../infra/local/ports.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { composed, isPodman, untilUp } from './engine.ts'

export const root = resolve(import.meta.dirname, '../../..')
const began = performance.now()

/** The engine hands us on with an address of its networks. */
export const ourAddresses = '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16'

export type Stack = Awaited<ReturnType<typeof openStack>>

/** The product under a project name of its own, with a chain; nothing runs yet. */
export async function openStack() {
  const [webPort, tlsPort, rpcPort] = [await freePort(), await freePort(), await freePort()]
  const files = ['compose.yaml', 'infra/docker/check.yaml']
  if (await isPodman()) files.push('infra/docker/podman.yaml')
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-check-'))
  chmodSync(dir, 0o755)
  const env = {
    // Podman 4.3 takes 0.0.0.0 literally; and nobody else need reach a trial.
    ...{
      WEB_ADDRESS: '127.0.0.1',
      WEB_PORT: `${webPort}`,
      WEB_TLS_PORT: `${tlsPort}`,
      RPC_PORT: `${rpcPort}`,
    },
    // Beside what runs here.
    EDGE_SUBNET: '172.30.97.0/24',
    ...{ OPERATOR_WALLET: operatorAccount, LOG_LEVEL: 'info', CHECKED_TREE: root },
    // A chain of its own is one provider.
    ...{ RPC_URLS: 'http://chain:8545', RPC_UNSAFE: 'true', SECRET_KEY: randomBytes(32).toString('hex') },
    POSTGRES_PASSWORD: `p:${randomBytes(12).toString('base64')}@/`, // characters that break a URL
    ...{ RESTIC_REPOSITORY: '/data/backup/repository', RESTIC_PASSWORD: randomBytes(32).toString('hex') },
  }
  const project = `blockdraw-check-${process.pid}`
  const envFile = join(dir, 'env')
  writeFileSync(envFile, '')
  const options = { project, files, envFile, directory: root }
  const plain = composed({ ...options, env })
  const siteUrl = `http://127.0.0.1:${webPort}`
  const place = { siteUrl, rpcUrl: `http://127.0.0.1:${rpcPort}` }

  return {
    plain,
    /** The door trusts us like a CDN, so that we can act as many visitors. */
    behindCdn: composed({ ...options, env: { ...env, CDN_PROXIES: ourAddresses } }),
    withIpv6: (address: string) =>
      composed({
        ...{ ...options, files: [...files, 'infra/docker/ipv6.yaml'] },
        env: { ...env, WEB_ADDRESS_IPV6: address },
      }),
    with: (more: Record<string, string>) => composed({ ...options, env: { ...env, ...more } }),
    siteUrl,
    place,
    /** A directory of this run. */
    dir,
    project,
    files,
    env,
    /** Hashes that were bought and have their tickets. */
    bought: [] as Hash[],
    async ready(stack = plain): Promise<void> {
      for (const service of ['postgres', 'redis', 'api', 'worker', 'web', 'door'])
        await stack.healthy(service)
      await untilUp(() => rpc(place.rpcUrl, 'eth_chainId'), 'the chain answers')
      const answers = async () => {
        const answer = await fetch(`${siteUrl}/api/ready`, { signal: AbortSignal.timeout(5_000) })
        return answer.ok && !((await answer.json()) as { stale: boolean }).stale
      }
      // Each api in its turn.
      const allAnswer = async () => (await answers()) && (await answers()) && (await answers()) && answers()
      await untilUp(allAnswer, 'every api is ready through the web server, and has its database')
    },
    /** Puts the door in place that believes us, or the one that believes nobody. */
    async trust(isCdn: boolean): Promise<void> {
      const stack = isCdn ? this.behindCdn : plain
      await stack.compose('up', '-d', '--no-build', '--no-deps', 'door')
      await this.ready(stack)
    },
    async psql(database: string, query: string): Promise<string> {
      const command = ['psql', '-U', 'blockdraw', '-d', database, '-tAc', query]
      return (await plain.compose('exec', '-T', 'postgres', ...command)).trim()
    },
    stats: async (): Promise<string> => (await fetch(`${siteUrl}/api/raffle/stats`)).text(),
    async close(): Promise<void> {
      // A container that is being restarted can refuse to stop.
      for (let left = 3; left > 0; left--)
        try {
          await plain.compose('down', '-v', '--remove-orphans', '-t', '10')
          break
        } catch (error) {
          if (left === 1) console.error(error)
        }
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export function expect(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

export function say(what: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`)
}
