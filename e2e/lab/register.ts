import {
  type Address,
  type BaseError,
  createTestClient,
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseEventLogs,
  publicActions,
  walletActions,
} from 'viem'
import { register, registerAbi } from '../../core/chain/register.ts'
import { startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { revertTo } from './chain-verbs.ts'
import { type ContractName, callData, deployData } from './contracts.ts'

export type Debt = { debtor: Address; total: bigint }

/** The book of a test's raffle. */
export const book: Hex = pad('0xb00c')

/** Somebody whom the raffle owes something. */
export const person = (number: number): Address =>
  getAddress(pad(numberToHex(0xd00000 + number), { size: 20 }))
export const owe = (number: number, total: bigint): Debt => ({ debtor: person(number), total })

/** What MoodyToken does, in the order of its source. */
export const moods = [
  'ReturnsTrue',
  'ReturnsNothing',
  'ReturnsFalse',
  'ReturnsTwo',
  'ReturnsOneByte',
  'Reverts',
  'RevertsSilently',
  'MovesNothing',
  'TakesAFee',
] as const
export type Mood = (typeof moods)[number]

export const moodData = (mood: Mood): Hex => callData('MoodyToken', 'setMood', [moods.indexOf(mood)])
/** The token begins its next transfer with this call. */
export const prepareData = (to: Address, data: Hex): Hex => callData('MoodyToken', 'prepare', [to, data])
/** A call that an OpenWallet makes. */
export const executeData = (to: Address, data: Hex): Hex => callData('OpenWallet', 'execute', [to, data])

/** A deadline that no block reaches. */
const never = 2n ** 64n

/** Logs that the stories of the register look at: its own, and those of a token. */
const logAbi = [
  ...registerAbi,
  ...parseAbi([
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event CalledBack(bool ok)',
  ]),
]
type LogOf<Told> = Told extends { eventName: infer Event; args: infer Args } ? { event: Event } & Args : never
export const readLogs = (logs: Parameters<typeof parseEventLogs>[0]['logs']) =>
  parseEventLogs({ abi: logAbi, logs }).map(
    (log) => ({ event: log.eventName, ...log.args }) as LogOf<typeof log>,
  )

export const payUpToData = (
  token: Address,
  debts: readonly Debt[],
  { validUntil = never, by = book }: { validUntil?: bigint; by?: Hex } = {},
): Hex =>
  encodeFunctionData({
    abi: registerAbi,
    functionName: 'payUpTo',
    args: [by, token, debts.map(({ debtor }) => debtor), debts.map(({ total }) => total), validUntil],
  })

/** An error with its arguments, the token's reason among them; other data as it is. */
function textOf(data: Hex): string {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: registerAbi, data })
    if (errorName === 'TransferFailed') return `${errorName}(${args[0]}, ${textOf(args[1] as Hex)})`
    return `${errorName}(${args})`
  } catch {
    return data
  }
}

export type RegisterWorld = Awaited<ReturnType<typeof openRegister>>

/** A chain of its own with the register, a block for each transaction. */
export async function openRegister() {
  const { url, stop } = await startChain({ blockTime: null, history: false })
  const client = createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const accounts = await client.getAddresses()

  type Call = { from: Address; to?: Address; data: Hex }
  /** Why a call would fail in the next block; undefined if it would succeed. */
  async function refusal({ from, data }: Call): Promise<string | undefined> {
    const error = await client
      .call({ account: from, to: register.address, data, gas: 20_000_000n })
      .then(() => undefined)
      .catch((reason: BaseError) => reason.walk((one) => 'data' in (one as object)) ?? reason)
    if (!error) return undefined
    return textOf((error as { data?: Hex }).data ?? '0x')
  }
  /** In a block, whether it succeeds or not. */
  async function mined({ from, to, data }: { from: Address; to?: Address; data: Hex }) {
    type Receipt = { status: Hex; gasUsed: Hex; contractAddress: Address; logs: never[] }
    const receipt = await rpc<Receipt>(url, 'eth_sendTransactionSync', [
      { from, ...(to && { to }), data, gas: numberToHex(20_000_000) },
    ])
    const { status, gasUsed, contractAddress, logs } = receipt
    return { ok: status === '0x1', gas: BigInt(gasUsed), contractAddress, logs: readLogs(logs) }
  }
  let snapshot: string | undefined
  const send = ({ to = register.address, ...rest }: Call) => mined({ to, ...rest })
  return {
    ...{ url, client, accounts, refusal, send, stop },
    deploy: async (name: ContractName): Promise<Address> =>
      (await mined({ from: accounts[0] as Address, data: deployData(name) })).contractAddress,
    /** Takes back what was done since this was called first. */
    startAnew: async () => {
      if (snapshot) await revertTo(url, snapshot)
      snapshot = await rpc(url, 'evm_snapshot')
    },
    paid: (token: Address, debtor: Address, by = book): Promise<bigint> =>
      client.readContract({
        ...{ address: register.address, abi: registerAbi },
        ...{ functionName: 'paid', args: [by, token, debtor] },
      }),
  }
}
