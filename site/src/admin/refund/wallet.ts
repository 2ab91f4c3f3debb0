import { type Address, concat, type Hash, type Hex, keccak256, pad } from 'viem'
import { deployer, register, word } from '../../../../core/chain/register.ts'
import { transferTopic } from '../../../../core/payment/payment.ts'
import { encodePaid } from '../../../../core/refund/safe-file.ts'
import type { Eip1193 } from '../../wallet/eip1193.ts'
import { encodeBalanceOf } from '../../wallet/transfer.ts'

export const ask = <T>(provider: Eip1193, method: string, params: readonly unknown[] = []): Promise<T> =>
  provider.request({ method, params }) as Promise<T>

/** `missing`: one signature puts it there; `no-deployer`: nobody can; `different`: another code, which is never called. */
export type RegisterState = 'ready' | 'missing' | 'no-deployer' | 'different'

export async function readRegister(provider: Eip1193): Promise<RegisterState> {
  const code = await readCode(provider, register.address)
  if (code !== '0x') return keccak256(code) === register.codeHash ? 'ready' : 'different'
  return keccak256(await readCode(provider, deployer.address)) === deployer.codeHash
    ? 'missing'
    : 'no-deployer'
}

const readCode = (provider: Eip1193, address: Address): Promise<Hex> =>
  ask(provider, 'eth_getCode', [address, 'latest'])

export async function deployment(): Promise<{ to: Address; data: Hex }> {
  // Loaded only here: no other page needs the code.
  const { default: made } = await import('../../../../infra/contracts/raffle-register.json')
  return { to: deployer.address, data: concat([pad('0x'), made.bytecode as Hex]) }
}

/** What can be done with a wallet; amounts in units of 10^-18, and nothing of them is known on another chain. */
export type WalletFacts = {
  account: string | undefined
  chainId: number
  usdt: bigint
  bnb: bigint
  gasPrice: bigint
  register: RegisterState | undefined
  allowance: bigint
}

export async function readWallet(
  provider: Eip1193,
  wallet: Address,
  { token, chainId: wanted }: { token: Address; chainId: number },
): Promise<WalletFacts> {
  const [accounts, chain] = await Promise.all([
    ask<string[]>(provider, 'eth_accounts'),
    ask<Hex>(provider, 'eth_chainId'),
  ])
  const basics = { account: accounts[0], chainId: Number(chain) }
  if (basics.chainId !== wanted)
    return { ...basics, usdt: 0n, bnb: 0n, gasPrice: 0n, register: undefined, allowance: 0n }
  const [usdt, bnb, gasPrice, state, allowance] = await Promise.all([
    readWord(provider, token, encodeBalanceOf(wallet)),
    ask<Hex>(provider, 'eth_getBalance', [wallet, 'latest']).then(BigInt),
    ask<Hex>(provider, 'eth_gasPrice').then(BigInt),
    readRegister(provider),
    readWord(provider, token, `0xdd62ed3e${word(wallet)}${word(register.address)}`),
  ])
  return { ...basics, usdt, bnb, gasPrice, register: state, allowance }
}

async function readWord(provider: Eip1193, to: Address, data: Hex): Promise<bigint> {
  const answer = await ask<Hex>(provider, 'eth_call', [{ to, data }, 'latest'])
  if (!/^0x[0-9a-f]{64}/i.test(answer)) throw new TypeError('the contract gave no number')
  return BigInt(answer.slice(0, 66))
}

/** What each of them has ever received by the book; so many questions at once as nodes of wallets take. */
export async function readPaid(
  provider: Eip1193,
  { book, token }: { book: Hex; token: Address },
  debtors: readonly Address[],
): Promise<bigint[]> {
  const found: bigint[] = []
  for (let at = 0; at < debtors.length; at += 20)
    found.push(
      ...(await Promise.all(
        debtors
          .slice(at, at + 20)
          .map((debtor) => readWord(provider, register.address, encodePaid(book, token, debtor))),
      )),
    )
  return found
}

type SentLog = { address: string; topics: Hex[]; data: Hex }

/** What each of them has ever sent to our wallets; undefined where the node does not serve logs of so many blocks. */
export async function readSent(
  provider: Eip1193,
  { token, wallets }: { token: Address; wallets: readonly Address[] },
  payers: readonly Address[],
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const topic = (address: Address) => `0x${word(address)}`
  const filter = {
    ...{ address: token, fromBlock: '0x0', toBlock: 'latest' },
    topics: [transferTopic, payers.map(topic), wallets.map(topic)],
  }
  const logs = await ask<SentLog[]>(provider, 'eth_getLogs', [filter]).catch(() => undefined)
  if (!Array.isArray(logs)) return undefined
  const sent = new Map<string, bigint>()
  for (const { topics, data } of logs) {
    const payer = `0x${topics[1]?.slice(26).toLowerCase()}`
    sent.set(payer, (sent.get(payer) ?? 0n) + BigInt(data))
  }
  return sent
}

export const readTime = async (provider: Eip1193): Promise<number> =>
  Number((await ask<{ timestamp: Hex }>(provider, 'eth_getBlockByNumber', ['latest', false])).timestamp)

/** True once a block has it and it succeeded, false where it failed, undefined before. */
export async function hasSucceeded(provider: Eip1193, hash: Hash): Promise<boolean | undefined> {
  const receipt = await ask<{ status: Hex } | null>(provider, 'eth_getTransactionReceipt', [hash])
  return receipt ? Number(receipt.status) === 1 : undefined
}
