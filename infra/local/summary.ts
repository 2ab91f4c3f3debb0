import type { Env } from '../../core/server/env.ts'
import { bold } from './progress.ts'

type Options = {
  env: Env
  dataDir: string
  chainUrl: string | undefined
  createdAdmin: { username: string; password: string; isOneTime: boolean } | undefined
}

/** The facts a new user needs once everything runs. */
export function summary({ env, dataDir, chainUrl, createdAdmin }: Options): string {
  const site = `http://localhost:${env.sitePort}`
  return [
    '',
    bold('Blockdraw is running.'),
    '',
    `  Site      ${bold(site)}`,
    `  Admin     ${bold(`${site}/admin`)}`,
    `  API       http://localhost:${env.apiPort}/api/health`,
    chainUrl
      ? `  Chain     ${chainUrl}  (local, chain id ${env.chainId})`
      : `  Chain     RPC_URLS (chain id ${env.chainId})`,
    `  Data      ${dataDir}`,
    '',
    ...login(env, createdAdmin),
    '',
    ...whatToTry(chainUrl !== undefined, site),
    '',
    '  Ctrl-C stops everything; the data stays.',
    '',
  ].join('\n')
}

function login(env: Env, created: Options['createdAdmin']): string[] {
  if (!created) return ['  Login     as printed at the first start; forgotten: bun run admin reset-password']
  const password = env.adminPassword
    ? 'the one in ADMIN_PASSWORD'
    : `${bold(created.password)}  (shown only now${created.isOneTime ? ', good for 24 hours: change it' : ''})`
  return [`  Login     ${bold(created.username)}`, `  Password  ${password}`]
}

const whatToTry = (local: boolean, site: string): string[] =>
  local
    ? [
        `  Try this: open ${site}, press Connect Wallet, choose Demo Wallet`,
        '            (1,000,000 play USDT) and buy 33 tickets.',
        '  Or watch: bun run story plays a whole raffle in three minutes, beside this one. Type it in another terminal.',
      ]
    : [`  Try this: open ${site} and connect a wallet.`]
