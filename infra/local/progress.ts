import { styleText } from 'node:util'
import type { Env } from '../../core/server/env.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { isClosing } from './child.ts'
import type { Running } from './system.ts'

/** A command as it works where nothing but Node is installed. */
export const command = (words: string): string => `npx --yes bun@${packageJson.engines.bun} run ${words}`

/** @internal */
export const bold = (text: string) => styleText('bold', text)
/** @internal */
export const faint = (text: string) => styleText('dim', text)

/** Runs one step of the start and prints one line about it, with its duration. */
export async function step<T>(title: string, act: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  const time = () => faint(`${((performance.now() - began) / 1000).toFixed(2)} s`)
  try {
    const result = await act()
    console.log(`${styleText('green', 'ok')}  ${title}  ${time()}`)
    return result
  } catch (error) {
    // failures are expected while everything is being stopped
    if (!isClosing()) console.log(`${styleText('red', 'no')}  ${title}  ${time()}`)
    throw error
  }
}

type Options = Pick<Running, 'chainUrl' | 'createdAdmin'> & { env: Env; dataDir: string }

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
    ...whatToTry(chainUrl !== undefined, site, createdAdmin !== undefined),
    '',
    '  Ctrl-C stops everything; the data stays.',
    '',
  ].join('\n')
}

function login(env: Env, created: Options['createdAdmin']): string[] {
  if (!created)
    return [
      '  Login     as printed at the first start; forgotten:',
      `            ${command('admin reset-password')}`,
    ]
  const password = env.adminPassword
    ? 'the one in ADMIN_PASSWORD'
    : `${bold(created.password)}  (shown only now${created.isOneTime ? ', good for 24 hours: change it' : ''})`
  return [`  Login     ${bold(created.username)}`, `  Password  ${password}`]
}

const whatToTry = (local: boolean, site: string, isFirst: boolean): string[] =>
  local
    ? [
        `  Try this: open ${site}, press Connect Wallet, choose Demo Wallet`,
        '            (1,000,000 play USDT) and buy 33 tickets.',
        ...(isFirst
          ? [
              `  Then:     log in at ${site}/admin and press “바로 정하기” (Set one now) at the top:`,
              '            it sets the draw date, and the countdown runs.',
            ]
          : []),
        '  Or watch a whole raffle in three minutes, beside this one, from another terminal:',
        `            ${command('story')}`,
      ]
    : [`  Try this: open ${site} and connect a wallet.`]
