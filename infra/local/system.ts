import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import type { Env } from '../../core/server/env.ts'
import { causesOf } from '../../core/server/time.ts'
import { loginOf, type RoleName } from '../../db/logins.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { fitsSchema, SchemaMisfit, SchemaOfDevelopment } from '../../db/schema-major.ts'
import { type LocalBeacon, newestBlockTime, startBeacon } from './beacon.ts'
import { type LocalChain, operatorAccount, proveLocalWallet, startChain } from './chain.ts'
import { StartProblem } from './child.ts'
import { claimPorts } from './ports.ts'
import { keptSecret, type LocalPostgres, startPostgres } from './postgres.ts'
import { step } from './progress.ts'
import { chainHasLedger, fundKey, isHalf, onDatabase, setAside } from './rpc.ts'
import { startService } from './service.ts'
import { buildSite } from './site-build.ts'
import { beaconPath, serveSite } from './site-server.ts'

type Options = { env: Env; root: string; dataDir: string; wasKilled: boolean }

export type Running = {
  /** Undefined where RPC_URLS names the chain. */
  chainUrl: string | undefined
  createdAdmin: Awaited<ReturnType<typeof prepareDatabase>>['createdAdmin']
  /** Resolves with a sentence when a service that all depends on has ended by itself. */
  broken: Promise<string>
}

/** Starts everything in order; it runs until it is stopped with the children of this process. */
export async function bringUp({ env, root, dataDir, wasKilled }: Options): Promise<Running> {
  const { sitePort: SITE_PORT, apiPort: API_PORT, rpcPort: RPC_PORT } = env
  const isLocal = env.rpcUrls.length === 0
  const ports = { SITE_PORT, API_PORT, ...(isLocal && { RPC_PORT }) }
  await step('Ports', () => claimPorts(ports, wasKilled ? 15_000 : 0))
  // Its clock is the chain, and nobody knows its key but this machine.
  const beacon = isLocal
    ? startBeacon({
        secret: keptSecret(dataDir, 'beacon-secret'),
        now: () => newestBlockTime(`http://127.0.0.1:${RPC_PORT}`),
      })
    : undefined
  const building = step('Site built', () => buildSite({ root, dataDir, publicEnv: publicEnv(env, beacon) }))
  building.catch(() => undefined) // awaited below; an earlier failure of another step must not make it unhandled
  const { databaseUrl, postgres, chain } = await layFoundation(env, dataDir)
  const { createdAdmin, hasLogins, notes } = await step('Database prepared', () =>
    prepareDatabase({ databaseUrl, env, operatorWallet: chain && operatorAccount, isLocal }),
  )
  for (const note of notes) console.log(note)
  if (chain) await proveLocalWallet(databaseUrl)
  const databaseUrlOf = (role: RoleName) => (hasLogins ? loginOf(databaseUrl, role) : databaseUrl)
  const anchorKey = env.anchorKey ?? (chain && keptSecret(dataDir, 'anchor-key', generatePrivateKey))
  if (chain && anchorKey) await fundKey(chain.url, anchorKey)
  const token = randomBytes(32).toString('base64url')
  const logDir = join(dataDir, 'logs')
  const serverEnv = {
    ...process.env,
    DATA_DIR: dataDir,
    RPC_URLS: chain?.url ?? env.rpcUrls.join(','),
    SECRET_KEY: env.secretKey ?? keptSecret(dataDir, 'secret-key'),
    SECRET_KEY_OLD: env.secretKeyOld,
    ANCHOR_KEY: anchorKey,
    // Read already: a variable and its file together would be refused. Blank, as what is missing each program would read from
    // `.env` again.
    DATABASE_URL_FILE: '',
    // The owner's password is none of a program's business.
    ...{ PGUSER: '', PGPASSWORD: '', PGPASSWORD_FILE: '' },
    RPC_URLS_FILE: '',
    SECRET_KEY_FILE: '',
    SECRET_KEY_OLD_FILE: '',
    ANCHOR_KEY_FILE: '',
    SITE_PROXY_TOKEN: token,
    // The servers take another key than drand's from here alone, and only beside a chain on this machine.
    LOCAL_BEACON_KEY: beacon?.network.publicKey,
    ...(beacon && { DRAND_URLS: beacon.url }),
  }
  const run = (name: string, program: string, vars: Record<string, string | undefined>) =>
    step(name, () => startService({ name, entry: join(root, program), env: vars, logDir }))
  const worker = run('Worker', 'worker/main.ts', { ...serverEnv, DATABASE_URL: databaseUrlOf('worker') })
  // It fills these pages.
  const api = building.then((site) =>
    run('API', 'api/main.ts', { ...serverEnv, DATABASE_URL: databaseUrlOf('api'), SITE_DIR: site }),
  )
  await Promise.all([worker, api])
  const apiUrl = `http://127.0.0.1:${API_PORT}`
  const place = { dir: await building, port: SITE_PORT, hostname: env.listenHost }
  serveSite({ ...place, apiUrl, beaconUrl: beacon?.url, token })
  const broken = Promise.race([
    endOf(postgres, 'Postgres has ended unexpectedly. Start again; the data is kept.'),
    endOf(chain, 'The local chain has ended unexpectedly. Start again.'),
  ])
  return { chainUrl: chain?.url, createdAdmin, broken }
}

/** Resolves with the sentence only when our own database or chain has ended by itself. */
async function endOf(service: { exited: Promise<number> } | undefined, sentence: string): Promise<string> {
  await (service?.exited ?? new Promise(() => undefined))
  return sentence
}

/** Variables for the build of the pages. Only a local chain turns the Demo Wallet on, and has a beacon of its own. */
function publicEnv(env: Env, beacon: LocalBeacon | undefined): Record<string, string> {
  const local = beacon !== undefined
  return {
    PUBLIC_CHAIN_ID: `${env.chainId}`,
    PUBLIC_USDT_ADDRESS: env.usdtAddress,
    PUBLIC_DEMO_RPC_URL: local ? `http://127.0.0.1:${env.rpcPort}` : '',
    PUBLIC_LOCAL_BEACON_KEY: beacon?.network.publicKey ?? '',
    PUBLIC_LOCAL_BEACON_URL: beacon ? `${beaconPath}/${beacon.network.chainHash.slice(2)}` : '',
    PUBLIC_RPC_URLS: (local ? [`http://127.0.0.1:${env.rpcPort}`] : env.publicRpcUrls).join(','),
    PUBLIC_API_URL: env.publicApiUrl ?? '',
    PUBLIC_SITE_URL: env.publicSiteUrl ?? '',
    PUBLIC_OPERATOR_WALLET: env.operatorWallet ?? '',
    PUBLIC_REOWN_PROJECT_ID: env.reownProjectId ?? '',
  }
}

/** Services that the processes need: our own, or those named by the environment. */
type Foundation = {
  /** As the owner of its tables. */
  databaseUrl: string
  postgres: LocalPostgres | undefined
  chain: LocalChain | undefined
}

async function layFoundation(env: Env, dataDir: string): Promise<Foundation> {
  const ours = !env.databaseUrl && env.rpcUrls.length === 0
  if (ours && isHalf(dataDir))
    console.log(
      `Database and chain belong together, one of them is missing: the other is now in ${setAside(dataDir)}`,
    )
  const foundation = await open(env, dataDir)
  const { databaseUrl, postgres, chain } = foundation
  await expectUsable(databaseUrl, postgres && dataDir)
  if (!chain) return foundation
  if (await step('Ledger and chain agree', () => chainHasLedger(databaseUrl, chain.url))) return foundation
  if (!ours)
    throw new StartProblem(
      'The local chain has lost blocks that the database of DATABASE_URL names: give it an empty database.',
    )
  await Promise.all([chain.stop(), postgres?.stop()])
  console.log(
    `The local chain was killed and lost blocks that the ledger names. The old data is now in ${setAside(dataDir)}`,
  )
  return open(env, dataDir)
}

async function open(env: Env, dataDir: string): Promise<Foundation> {
  const { rpcPort: port, chainId, usdtAddress } = env
  const stateFile = join(dataDir, 'chain', 'state.json')
  const [postgres, chain] = await Promise.all([
    env.databaseUrl ? undefined : step('Postgres', () => startPostgres({ dataDir })),
    env.rpcUrls.length > 0
      ? undefined
      : step('Local chain', () => startChain({ port, chainId, usdtAddress, stateFile })),
  ])
  return { databaseUrl: env.databaseUrl ?? postgres?.url ?? '', postgres, chain }
}

/**
 * Throws StartProblem where no database answers, or before the tables of one that this release cannot work with are read.
 * `dataDir` is given where the database is our own. @internal
 */
export async function expectUsable(databaseUrl: string, dataDir: string | undefined): Promise<void> {
  await onDatabase(databaseUrl, fitsSchema).catch((error) => {
    if (dataDir && error instanceof SchemaOfDevelopment)
      throw new StartProblem(
        `The data in ${dataDir} comes from an earlier development version: remove that folder, or start with another DATA_DIR.`,
      )
    if (error instanceof SchemaMisfit) throw new StartProblem(error.message)
    const { message, code } = causesOf(error).at(-1) as Error & { code?: string }
    // The address may hold a password.
    throw new StartProblem(`DATABASE_URL cannot be used: ${message || code}.`)
  })
}
