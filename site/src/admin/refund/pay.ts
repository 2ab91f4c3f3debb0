import type { Address, Hash, Hex } from 'viem'
import { register } from '../../../../core/chain/register.ts'
import { encodeApprove, encodePayUpTo } from '../../../../core/refund/safe-file.ts'
import { type Eip1193, isSameAddress, rpcCode } from '../../wallet/eip1193.ts'
import { ask, hasSucceeded, readPaid, readSent, readTime, readWallet, type WalletFacts } from './wallet.ts'

/** A line of `execute-refund`: `units` is what the server finds due, `total` what the payer has to have received in all. */
export type Line = { to: Address; units: string; total: string }
export type Terms = { chainId: number; token: Address; book: Hex; wallets: readonly Address[] }
export type Share = { count: number; units: bigint }
/** A line that is not signed: he has sent less than its total, or the chain does not take it. */
export type Refused = Share & { to: Address; sent?: bigint; reason?: string }

/** `allowance`: less is allowed than asked for; `refused`: by the user; `reverted`: on the chain; `wallet`: its `error`. */
export type Stop =
  | ('account' | 'chain' | 'register' | 'usdt' | 'bnb')
  | ('allowance' | 'refused' | 'reverted' | 'wallet' | 'left' | 'failed')

export type PayState = {
  /** `approve` and `call` wait for the wallet, `chain` for a block. */
  phase: 'reading' | 'approve' | 'call' | 'chain' | 'stopped' | 'done'
  approving: bigint | undefined
  paid: readonly Share[]
  ahead: readonly Share[]
  refused: readonly Refused[]
  /** False where the wallet's node could not say what payers have sent. */
  isCompared: boolean
  stop: Stop | undefined
  error: unknown
}

type Deps = {
  provider: Eip1193
  wallet: Address
  terms: Terms
  perCall: number
  lines: () => Promise<readonly Line[]>
  report: (hash: Hash, payers: Address[]) => Promise<unknown>
  onChange: (state: PayState) => void
  pause: () => Promise<void>
}

const callSeconds = 3_600
const maxCallGas = 12_000_000n

/** May begin anew at any moment: server and chain know who is owed what, so no call pays anybody twice, however often it is signed. */
export function createPay(deps: Deps): { run: () => Promise<void>; leave: () => void } {
  const { provider, wallet, terms, perCall, lines, report, onChange, pause } = deps
  const paid = new Map<Address, bigint>()
  const compared = new Map<Address, string>()
  const refused = new Map<Address, Refused>()
  let approved: bigint | undefined
  let isLeft = false
  let state: PayState = {
    ...{ phase: 'reading', approving: undefined, paid: [], ahead: [], refused: [] },
    ...{ isCompared: true, stop: undefined, error: undefined },
  }
  const change = (part: Partial<PayState>) => {
    state = { ...state, ...part }
    onChange(state)
  }

  const dueOf = ({ to, units, total }: Line): bigint => {
    const known = paid.get(to)
    return known === undefined ? BigInt(units) : BigInt(total) - known
  }
  const shareOf = (part: readonly Line[]): Share => ({
    count: part.length,
    units: part.reduce((sum, line) => sum + dueOf(line), 0n),
  })
  const openOf = (all: readonly Line[]) =>
    all.filter((line) => !isSameAddress(line.to, wallet) && !refused.has(line.to) && dueOf(line) > 0n)
  const refuse = (line: Line, why: Pick<Refused, 'sent' | 'reason'>) => {
    refused.set(line.to, { to: line.to, ...shareOf([line]), ...why })
    change({ refused: [...refused.values()] })
  }

  /** The next lines that the register has not paid yet and that ask for no more than their payers have sent. */
  async function nextCall(all: readonly Line[]): Promise<Line[]> {
    const open = openOf(all)
    const found: Line[] = []
    for (let at = 0; at < open.length && found.length < perCall; at += perCall) {
      const part = open.slice(at, at + perCall)
      const totals = await readPaid(
        provider,
        terms,
        part.map(({ to }) => to),
      )
      for (const [index, { to }] of part.entries()) paid.set(to, totals[index] ?? 0n)
      await compare(openOf(part))
      found.push(...openOf(part))
    }
    return found.slice(0, perCall)
  }

  async function compare(part: readonly Line[]): Promise<void> {
    const asked = part.filter(({ to, total }) => compared.get(to) !== total)
    if (asked.length === 0 || !state.isCompared) return
    const sent = await readSent(
      provider,
      terms,
      asked.map(({ to }) => to),
    )
    if (!sent) return change({ isCompared: false })
    for (const line of asked) {
      const units = sent.get(line.to.toLowerCase()) ?? 0n
      if (units < BigInt(line.total)) refuse(line, { sent: units })
      else compared.set(line.to, line.total)
    }
  }

  const callOf = (part: readonly Line[], validUntil: number) => ({
    ...{ from: wallet, to: register.address },
    data: encodePayUpTo(
      terms.book,
      terms.token,
      part.map(({ to, total }) => ({ debtor: to, total: BigInt(total) })),
      validUntil,
    ),
  })

  /** As much of the call as the chain takes, with its gas. Undefined after the one line that it does not take is found. */
  async function tryCall(
    part: Line[],
    validUntil: number,
  ): Promise<{ part: Line[]; gas: bigint } | undefined> {
    const gasOf = (some: Line[]) =>
      ask<Hex>(provider, 'eth_estimateGas', [callOf(some, validUntil)]).then(
        (gas) => (BigInt(gas) <= maxCallGas ? BigInt(gas) : 'too much gas'),
        (error: unknown) => reasonOf(error),
      )
    let tried = part
    let answer = await gasOf(part)
    if (typeof answer === 'bigint') return { part, gas: answer }
    while (tried.length > 1) {
      const half = tried.slice(0, Math.ceil(tried.length / 2))
      const ofHalf = await gasOf(half)
      const rest = tried.slice(half.length)
      const ofRest = typeof ofHalf === 'bigint' ? await gasOf(rest) : undefined
      // Each by itself is taken: together they are too much.
      if (typeof ofHalf === 'bigint' && typeof ofRest === 'bigint') return { part: half, gas: ofHalf }
      tried = ofRest ? rest : half
      answer = ofRest ?? ofHalf
    }
    if (tried[0]) refuse(tried[0], { reason: `${answer}` })
    return undefined
  }

  /** Undefined to go on. */
  async function step(): Promise<Stop | 'done' | undefined> {
    change({ phase: 'reading' })
    const facts = await readWallet(provider, wallet, terms)
    const obstacle = obstacleOf(facts, wallet, terms)
    if (obstacle) return obstacle
    const all = await lines()
    const next = await nextCall(all)
    const open = openOf(all)
    change({ ahead: chunks(open, perCall).map(shareOf) })
    if (next.length === 0) return 'done'
    const { units: sum } = shareOf(open)
    if (facts.usdt < shareOf(next).units) return 'usdt'
    // What was allowed for lines that turned out to be refused stays until the next time.
    const spare = state.refused.reduce((units, line) => units + line.units, 0n)
    const isExact = facts.allowance >= sum && facts.allowance <= sum + spare
    // Once allowed, what is owed may grow while calls are signed: it is allowed anew only where the next call needs more.
    if (approved === undefined ? !isExact : facts.allowance < shareOf(next).units) {
      // The wallet's user has lowered the amount.
      if (approved === sum) return 'allowance'
      return approve(sum, facts.allowance)
    }
    const validUntil = (await readTime(provider)) + callSeconds
    const taken = await tryCall(next, validUntil)
    if (!taken) return undefined
    const { part, gas } = taken
    if (facts.bnb < gas * facts.gasPrice) return 'bnb'
    return pay(part, { ...callOf(part, validUntil), gas: hex(min((gas * 11n) / 10n, maxCallGas)) })
  }

  function approve(sum: bigint, before: bigint): Promise<Stop | undefined> {
    approved = sum
    change({ phase: 'approve', approving: sum })
    return hand({ from: wallet, to: terms.token, data: encodeApprove(register.address, sum) }, async () => {
      const { allowance } = await readWallet(provider, wallet, terms)
      return allowance !== before
    })
  }

  async function pay(part: readonly Line[], call: object): Promise<Stop | undefined> {
    const payers = part.map(({ to }) => to)
    const share = shareOf(part)
    change({ phase: 'call' })
    const isPaid = async () => {
      const totals = await readPaid(provider, terms, payers)
      return part.every(({ total }, index) => (totals[index] ?? 0n) >= BigInt(total))
    }
    const stop = await hand(call, isPaid, payers)
    if (stop) return stop
    // A transaction may succeed while the call within it did not run: the register alone says who was paid.
    if (!(await isPaid())) return 'reverted'
    change({ paid: [...state.paid, share] })
    return undefined
  }

  /** Waits for what the wallet's answer did, or for the chain to show it without any. */
  async function hand(
    call: object,
    isDone: () => Promise<boolean>,
    payers?: Address[],
  ): Promise<Stop | undefined> {
    const known: { hash?: Hash; stop?: Stop; error?: unknown; isOver?: boolean } = {}
    void ask<unknown>(provider, 'eth_sendTransaction', [{ ...call, value: '0x0' }]).then(
      (answer) => {
        // The id of a bundle, say, tells nothing: the chain does.
        if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) return
        known.hash = answer.toLowerCase() as Hash
        if (!known.isOver) change({ phase: 'chain' })
        if (payers) void report(known.hash, payers).catch(() => undefined)
      },
      (error: unknown) =>
        Object.assign(known, { error, stop: rpcCode(error) === 4001 ? 'refused' : 'wallet' }),
    )
    try {
      for (;;) {
        await pause()
        if (isLeft) return 'left'
        if (await isDone().catch(() => false)) return undefined
        if (known.stop) {
          change({ error: known.error })
          return known.stop
        }
        const succeeded = known.hash && (await hasSucceeded(provider, known.hash).catch(() => undefined))
        if (succeeded !== undefined) return succeeded ? undefined : 'reverted'
      }
    } finally {
      known.isOver = true
    }
  }

  return {
    async run() {
      try {
        for (;;) {
          const end = isLeft ? 'left' : await step()
          if (end === 'done') return change({ phase: 'done' })
          if (end) return change({ phase: 'stopped', stop: end })
        }
      } catch (error) {
        change({ phase: 'stopped', stop: 'failed', error })
      }
    },
    leave() {
      isLeft = true
    },
  }
}

export function obstacleOf(
  facts: WalletFacts,
  wallet: Address,
  { chainId }: Pick<Terms, 'chainId'>,
): 'account' | 'chain' | 'register' | undefined {
  if (!isSameAddress(wallet, facts.account)) return 'account'
  if (facts.chainId !== chainId) return 'chain'
  return facts.register === 'ready' ? undefined : 'register'
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )

export function reasonOf(error: unknown): string {
  const { message, data } = (error ?? {}) as { message?: unknown; data?: { message?: unknown } }
  const text = data?.message ?? message
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : 'execution reverted'
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
