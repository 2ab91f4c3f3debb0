import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Address, type Hex, isAddressEqual, keccak256, pad, toHex } from 'viem'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { poll } from '../../core/server/time.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { proveWallet } from '../../db/event/wallet-proofs.ts'
import usdt from '../contracts/usdt.json' with { type: 'json' }
import { StartProblem, spawnChild } from './child.ts'
import { freePort } from './ports.ts'
import { onDatabase, putRegister, rpc } from './rpc.ts'

export type LocalChain = { url: string; port: number; stop: () => Promise<void>; exited: Promise<number> }

type Options = {
  /** Default: a free one. */
  port?: number
  /** Default: the loopback address. */
  host?: string
  /** The state is kept here across starts, if given. */
  stateFile?: string
  /** Seconds between blocks; null mines a block per transaction. */
  blockTime?: number | null
  chainId?: number
  usdtAddress?: Address
  /** Time of the first block in seconds, now by default. The chain's clock continues from there. */
  genesisTime?: number
  /** False keeps the state of the last 20 blocks alone: 1,000 blocks take 0.1 s, but older ones cannot be replaced. */
  history?: boolean
}

/** Account 0 of anvil's default mnemonic: it receives the payments. */
export const operatorAccount: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const holders = 9
const holding = 1_000_000n * 10n ** 18n

/** anvil as a BNB Smart Chain: final after two blocks, USDT and register at their real addresses, accounts 1-9 funded. */
export async function startChain(options: Options = {}): Promise<LocalChain> {
  const { blockTime = 0.45, stateFile, usdtAddress = usdtOnBsc } = options
  const port = options.port ?? (await freePort())
  const child = spawnChild(
    [anvilBinary(), ...flags({ ...options, port, blockTime }), ...(await stateFlags(stateFile))],
    {
      env: process.env,
      stopSignal: 'INT', // writes the state
    },
  )
  const url = `http://127.0.0.1:${port}`
  const answer = () => rpc(url, 'eth_chainId').catch(() => undefined)
  const began = poll(answer, { withinMs: 30_000, everyMs: 20 })
  if (!(await Promise.race([began, child.exited.then(() => undefined)]))) {
    await child.stop()
    throw new StartProblem(`The local chain (anvil) did not start:\n${child.tail()}`)
  }
  try {
    await putUsdt(url, usdtAddress)
    await putRegister(url)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { url, port, stop: child.stop, exited: child.exited }
}

// cancun: without the later fork's block-hash contract the state stays small, so a block costs no disk
function flags({
  port,
  host = '127.0.0.1',
  blockTime,
  chainId = 56,
  genesisTime,
  history = true,
}: Options): string[] {
  const place = ['--host', host, '--port', `${port}`, '--chain-id', `${chainId}`]
  const fees = ['--block-base-fee-per-gas', '0']
  const states = history ? ['--max-persisted-states', '50'] : ['--prune-history', '20']
  const size = [...states, '--hardfork', 'cancun', '--slots-in-an-epoch', '1']
  const time = [
    ...(blockTime ? ['--block-time', `${blockTime}`] : []),
    ...(genesisTime ? ['--timestamp', `${genesisTime}`] : []),
  ]
  return [...place, ...fees, ...size, ...time, '--quiet']
}

/** The real binary: the package's wrapper script drops the signal that makes anvil write its state. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return join(dirname(createRequire(wrapper).resolve(`${name}/package.json`)), 'bin', 'anvil')
  } catch {
    throw new StartProblem(
      `The local chain's binary (${name}) is not installed: set RPC_URLS to use a real chain.`,
    )
  }
}

/** Writes balances to storage, which needs no transaction: no nonce is used and no block awaited. */
async function putUsdt(url: string, token: Address): Promise<void> {
  if ((await rpc(url, 'eth_getCode', [token, 'latest'])) !== '0x') return
  const accounts = (await rpc<Address[]>(url, 'eth_accounts')).slice(1, 1 + holders)
  await rpc(url, 'anvil_setCode', [token, usdt.deployedBytecode])
  const write = (slot: Hex, value: bigint) =>
    rpc(url, 'anvil_setStorageAt', [token, slot, toHex(value, { size: 32 })])
  for (const account of accounts) await write(balanceSlot(account), holding)
  await write(toHex(2, { size: 32 }), holding * BigInt(accounts.length))
}

const balanceSlot = (account: Address): Hex => keccak256(`${pad(account)}${'0'.repeat(64)}`)

/** anvil overwrites its file in place, so it gets a second file, which replaces the first one at the next
 * start if it is complete: a kill in the middle of a write costs the last minute, not everything. */
async function stateFlags(file: string | undefined): Promise<string[]> {
  if (file === undefined) return ['--cache-path', join(tmpdir(), 'blockdraw-anvil')]
  mkdirSync(dirname(file), { recursive: true })
  const next = `${file}.next`
  const dump = Bun.file(next)
  if (dump.size > end.length && (await dump.slice(dump.size - end.length).text()) === end)
    renameSync(next, file)
  const load = existsSync(file) ? ['--load-state', file] : []
  return [
    ...load,
    '--dump-state',
    next,
    '--state-interval',
    '60',
    '--cache-path',
    join(dirname(file), 'cache'),
  ]
}

/** What a dump of anvil that was not interrupted ends with. */
const end = '"historical_states":null}'

/** Everybody has the key of account 0, so its proof needs no signature. Does nothing where the event has
 * another wallet, or a proof; safe to run twice. */
export const proveLocalWallet = (databaseUrl: string): Promise<void> =>
  onDatabase(databaseUrl, async (db) => {
    const event = await getOpenEvent(db)
    const wallet = event?.operatorWallet
    if (event && wallet && !event.walletProvenAt && isAddressEqual(wallet, operatorAccount))
      await proveWallet(db, event.number, wallet)
  })
