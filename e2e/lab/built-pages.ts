import { resolve } from 'node:path'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { buildSite, inputsHash } from '../../infra/local/site-build.ts'
import { beaconPath } from '../../infra/local/site-server.ts'
import { keptBuild } from './kept-build.ts'
import { testBeacon } from './test-beacon.ts'

/** Where a page with the Demo Wallet looks for its chain; `openStory` passes the path on to the test's own. */
export const demoRpcPath = '/local-chain'

type Options = {
  demoWallet: boolean
  /** As an operator builds them who has a project of Reown, and names his wallet. */
  otherWallets?: boolean
}

/** Looks like a project id of Reown, but is invented. */
const project = '0123456789abcdef0123456789abcdef'

const root = resolve(import.meta.dirname, '../..')

/** The built pages of production, or of a local chain, with the Demo Wallet and its beacon. */
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
    PUBLIC_OPERATOR_WALLET: otherWallets ? operatorAccount : '',
    PUBLIC_REOWN_PROJECT_ID: otherWallets ? project : '',
  }
  return keptBuild('pages', inputsHash(root, publicEnv), (dataDir) => buildSite({ root, dataDir, publicEnv }))
}
