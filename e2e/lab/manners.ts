/** What the field's wallets do instead of answering well: one table, for the rules alone and for the page in a browser. */
export type Call = {
  /** The wallet's own state; `chain` is in hex, and `late` is what it has yet to do. */
  world: { chain: unknown; isAdded: boolean; late?: (() => unknown) | undefined }
  /** What a good wallet does. */
  usual: () => unknown
  /** How often this was asked before. */
  times: number
}
/** By the method that is asked, or the event that is told. */
export type Manner = Partial<Record<string, (call: Call) => unknown>>

const [accounts, chain, sending] = ['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction']
export const [switching, adding] = ['wallet_switchEthereumChain', 'wallet_addEthereumChain']

export const failing = (error: unknown) => () => {
  throw error
}
export const never = () => new Promise<never>(() => undefined)

export const reachingBsc: [string, Manner][] = [
  [
    'says yes at once and is there a moment later',
    {
      [switching]: ({ world, usual }) => Object.assign(world, { late: usual }) && null,
      [chain]: async ({ world, usual }) => {
        const told = await usual()
        await world.late?.()
        world.late = undefined
        return told
      },
    },
  ],
  ['says yes and stays where it is until the chain was added', { [switching]: () => null }],
  [
    'adds the chain without switching to it',
    {
      [switching]: ({ world, usual }) => (world.isAdded ? usual() : failing({ code: 4902 })()),
      [adding]: ({ world }) => Object.assign(world, { isAdded: true }) && null,
    },
  ],
  ['tells its chain as a number', { [chain]: ({ world }) => Number(world.chain) }],
  ['tells its chain with zeros', { [chain]: ({ world }) => `0x00${Number(world.chain).toString(16)}` }],
]

export const unknownChainErrors: unknown[] = [
  { code: 4902 },
  { code: '4902', message: 'no' },
  { code: -32603, data: { originalError: { code: 4902 } } },
  { code: -32603, data: { code: 4902 } },
  {
    code: -32603,
    message: 'Unrecognized chain ID "0x38". Try adding the chain using wallet_addEthereumChain first.',
  },
  { code: 32603, message: 'Unrecognized chain ID "0x38".' },
  new Error('Try adding the chain using wallet_addEthereumChain first.'),
]
export const withoutBsc = (error: unknown): Manner => ({
  [switching]: ({ world, usual }) => (world.isAdded ? usual() : failing(error)()),
})

/** How a change of chain is told. */
export const toldChains: ((chain: number) => unknown)[] = [
  (chain) => `0x${chain.toString(16)}`,
  (chain) => `${chain}`,
  (chain) => chain,
  (chain) => `0X${chain.toString(16)}`,
  (chain) => `0x00${chain.toString(16)}`,
  (chain) => ({ chainId: `0x${chain.toString(16)}` }),
  (chain) => `eip155:${chain}`,
  () => undefined,
]

const once =
  (fault: () => unknown) =>
  ({ times, usual }: Call) =>
    times === 0 ? fault() : usual()

/** Connects at the second try; `says` is what the first one comes to, if to anything. */
export const atSecondTry: { does: string; manner: Manner; says?: string }[] = [
  { does: 'never answers whether it shares an account', manner: { [accounts]: once(never) } },
  {
    does: 'answers two requests for accounts at the second one',
    manner: {
      [accounts]: ({ world, usual }) => {
        const first = world.late
        if (first) return first() && usual()
        return new Promise((answer) => Object.assign(world, { late: () => answer(usual()) ?? true }))
      },
    },
  },
  { does: 'never answers to the switch', manner: { [switching]: once(never) } },
  {
    ...{ does: 'refuses the switch', says: 'You rejected the request in MetaMask.' },
    manner: { [switching]: once(failing({ code: 4001 })) },
  },
]

/** Answers to a transaction that was sent, in which its hash is found. */
export const hashAnswers: ((hash: string) => unknown)[] = [
  (hash) => hash,
  (hash) => hash.toUpperCase().replace('0X', '0x'),
  (hash) => ` ${hash}\n`,
  (hash) => ({ hash }),
  (hash) => ({ transactionHash: hash }),
]
/** In these it is not: a Safe's signature, the id of a bundle, nothing. */
export const vagueAnswers: ((hash: string) => unknown)[] = [
  () => `0x${'1c'.repeat(65)}`,
  (hash) => ({ id: hash }),
  () => null,
  () => undefined,
  () => 42,
  () => '',
]
/** After these nobody knows whether it was sent. */
export const vagueErrors: unknown[] = [
  {},
  undefined,
  { code: -32603, message: 'Internal JSON-RPC error.' },
  { code: 4900, message: 'Disconnected' },
  { code: -32000, message: 'already known' },
  new Error('Attempting to use a disconnected port object'),
  new Error('Request expired. Please try again.'),
]
/** The buyer has said no. */
export const rejections: unknown[] = [
  { code: 4001, message: 'no' },
  { code: '4001' },
  { code: 5000, message: 'User rejected.' },
  { code: -32603, message: 'x', data: { cause: { code: 4001 } } },
  { message: 'x', error: { code: 4001 } },
  { code: 'ACTION_REJECTED', message: 'user rejected action (action="sendTransaction", …)' },
  { code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.' },
]
/** Nothing was sent, and what says why. */
export const refusals: [unknown, string | undefined][] = [
  [
    { code: -32603, message: 'Internal JSON-RPC error.', data: { message: 'insufficient funds for gas' } },
    'insufficient funds for gas',
  ],
  [
    { code: -32000, message: 'execution reverted: BEP20: transfer amount exceeds balance' },
    'execution reverted: BEP20: transfer amount exceeds balance',
  ],
  [{ code: -32602, message: 'Invalid params' }, 'Invalid params'],
  [{ code: -32002 }, undefined],
]

/** The transaction is sent, and answered so. */
export const sentBut = (answer: (hash: string) => unknown): Manner => ({
  [sending]: async ({ usual }) => answer(String(await usual())),
})
/** Nothing is sent at the first try. */
export const refusingOnce = (error: unknown): Manner => ({
  [sending]: once(failing(error)),
})
