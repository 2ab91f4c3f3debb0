import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../../core/server/env.ts'
import { connect } from '../../db/index.ts'
import { fitsSchema, SchemaMisfit, SchemaOfDevelopment } from '../../db/schema-major.ts'
import { type LocalChain, startChain } from './chain.ts'
import { StartProblem } from './child.ts'
import { type LocalPostgres, startPostgres } from './postgres.ts'
import { step } from './progress.ts'
import { chainHasLedger, isHalf, setAside } from './rpc.ts'

/** Services that the processes need: our own, or those named by the environment. */
export type Foundation = {
  /** As the owner of its tables. */
  databaseUrl: string
  rpcUrls: readonly string[]
  postgres: LocalPostgres | undefined
  chain: LocalChain | undefined
}

export async function layFoundation(env: Env, dataDir: string): Promise<Foundation> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const ours = !env.databaseUrl && env.rpcUrls.length === 0
  if (ours && isHalf(dataDir))
    console.log(
      `Database and chain belong together, one of them is missing: the other is now in ${setAside(dataDir)}`,
    )
  const foundation = await open(env, dataDir)
  await refuseMisfit(foundation, dataDir)
  if (!foundation.chain) return foundation
  if (
    await step('Ledger and chain agree', () =>
      chainHasLedger(foundation.databaseUrl, foundation.chain?.url ?? ''),
    )
  )
    return foundation
  if (!ours)
    throw new StartProblem(
      'The local chain has lost blocks that the database of DATABASE_URL names: give it an empty database.',
    )
  await Promise.all([foundation.chain.stop(), foundation.postgres?.stop()])
  console.log(
    `The local chain was killed and lost blocks that the ledger names. The old data is now in ${setAside(dataDir)}`,
  )
  return open(env, dataDir)
}

async function open(env: Env, dataDir: string): Promise<Foundation> {
  const [postgres, chain] = await Promise.all([
    env.databaseUrl ? undefined : step('Postgres', () => startPostgres({ dataDir })),
    env.rpcUrls.length > 0
      ? undefined
      : step('Local chain', () => startChain({ ...chainOf(env), stateFile: stateFile(dataDir) })),
  ])
  return {
    databaseUrl: env.databaseUrl ?? postgres?.url ?? '',
    rpcUrls: chain ? [chain.url] : env.rpcUrls,
    postgres,
    chain,
  }
}

/** Throws StartProblem before the tables of a database that this release cannot work with are read. */
async function refuseMisfit({ databaseUrl, postgres }: Foundation, dataDir: string): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw start' })
  try {
    await fitsSchema(db)
  } catch (error) {
    if (!(error instanceof SchemaMisfit)) throw error
    throw new StartProblem(
      postgres && error instanceof SchemaOfDevelopment
        ? `The data in ${dataDir} comes from an earlier development version: remove that folder, or start with another DATA_DIR.`
        : error.message,
    )
  } finally {
    await close()
  }
}

const chainOf = (env: Env) => ({ port: env.rpcPort, chainId: env.chainId, usdtAddress: env.usdtAddress })
const stateFile = (dataDir: string): string => join(dataDir, 'chain', 'state.json')
