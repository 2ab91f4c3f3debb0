import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { usdtOnBsc } from '../../core/server/env.ts'
import { buildSite, inputsHash } from '../../infra/local/site-build.ts'
import { beaconPath } from '../../infra/local/site-server.ts'
import { locked } from './lock.ts'
import { testBeacon } from './test-beacon.ts'

/** Where a page with the Demo Wallet looks for its chain; `openStory` passes the path on to the test's own. */
export const demoRpcPath = '/local-chain'

type Options = { demoWallet: boolean; otherWallets?: boolean }

/** Looks like a project id of Reown, but is invented. */
const project = '0123456789abcdef0123456789abcdef'

const root = resolve(import.meta.dirname, '../..')
const shared = join(tmpdir(), 'blockdraw-e2e-pages')
const keptMs = 24 * 3_600_000

/**
 * The built pages, as production has them or those of a local chain: with the Demo Wallet and its beacon. Built once for all test files, threads and
 * runs of the same sources: they are kept by the hash of what goes into them.
 */
export async function builtPages({ demoWallet, otherWallets = false }: Options): Promise<string> {
  const publicEnv = {
    NODE_ENV: 'production', // a test runner's own would build React for development
    VITEST: '',
    PUBLIC_CHAIN_ID: '56',
    PUBLIC_USDT_ADDRESS: usdtOnBsc,
    PUBLIC_DEMO_RPC_URL: demoWallet ? demoRpcPath : '',
    PUBLIC_LOCAL_BEACON_KEY: demoWallet ? testBeacon.publicKey : '',
    PUBLIC_LOCAL_BEACON_URL: demoWallet ? `${beaconPath}/${testBeacon.chainHash.slice(2)}` : '',
    PUBLIC_RPC_URLS: '',
    PUBLIC_API_URL: '',
    PUBLIC_SITE_URL: '',
    PUBLIC_OPERATOR_WALLET: '',
    PUBLIC_REOWN_PROJECT_ID: otherWallets ? project : '',
  }
  mkdirSync(shared, { recursive: true })
  return locked(join(shared, 'lock'), () => {
    const dataDir = join(shared, inputsHash(root, publicEnv))
    mkdirSync(dataDir, { recursive: true })
    forgetOldBuilds()
    return buildSite({ root, dataDir, publicEnv })
  })
}

function forgetOldBuilds(): void {
  for (const name of readdirSync(shared)) {
    const place = join(shared, name)
    if (Date.now() - statSync(place).mtimeMs > keptMs) rmSync(place, { recursive: true, force: true })
  }
}
