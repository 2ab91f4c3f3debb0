import fc from 'fast-check'
import type { Address, Hash } from 'viem'
import { expect, inject, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { encodeApprove, encodePayUpTo } from '../../core/refund/safe-file.ts'
import { keepRows, restoreRows } from '../lab/fresh-database.ts'
import { forFile } from '../lab/opened.ts'
import { transferData, usdt } from '../lab/usdt.ts'
import { buyers, openDesk, openRefundWorld, operator, type RefundWorld, type Signed } from './refund-world.ts'
import { comeToDraw } from './simulation/draft-steps.ts'
import { save } from './simulation/operator-steps.ts'
import { step, upTo } from './simulation/story.ts'
import { sweepOnce } from './simulation/work-steps.ts'

const stories = Number(process.env.SEEDS ?? 200)
const desk = await forFile(openDesk(inject('postgresUrl')))

const buyer = fc.constantFrom(...buyers)
/** Of who pays refunds: the operator's wallet, two others, and a buyer, whose own line a call passes over. */
const payer = fc.constantFrom(0, 6, 7, 1)
const units = fc.oneof(
  fc.bigInt({ min: 1n, max: 40n * 10n ** 18n }),
  fc.constantFrom(2n * 10n ** 18n, 5n * 10n ** 16n, 1n),
)
const anyStep = fc.oneof(
  step(6, 'pay', { buyer, units }),
  step(2, 'end the sale', {}),
  step(5, 'send by hand', { buyer, percent: upTo(100), isRefund: fc.boolean() }),
  step(3, 'mark', {}),
  step(1, 'take a mark back', { which: upTo(9) }),
  step(6, 'sign', { payer, perCall: fc.integer({ min: 1, max: 5 }) }),
  step(8, 'send a call', { which: upTo(9), payer, times: fc.integer({ min: 1, max: 3 }) }),
  step(1, 'pay by another book', { buyer, units }),
  step(6, 'work', { dieAt: fc.option(upTo(25)) as fc.Arbitrary<number | null> }),
  step(2, 'wait', { seconds: fc.constantFrom(30, 100, 1_000, 4_000) }),
  step(3, 'replace blocks', { depth: upTo(8) }),
  step(2, 'back up', {}),
  step(2, 'restore', {}),
  step(1, 'hold', { buyer }),
  step(1, 'release', { buyer }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never
const story = fc.array(anyStep, { minLength: 20, maxLength: 45, size: 'max' })

/** What happens in one story, and what the people in it remember. */
class Played {
  /** Calls that were signed: each may come at any time, and more than once. */
  readonly pocket: Signed[] = []
  isEnded = false
  isBackedUp = false
  /** Something was sent by hand that no worker may have read. */
  isUnread = false

  constructor(readonly world: RefundWorld) {}

  /** Blocks of a sale that has ended are not replaced: a frozen list is another story. */
  async end(): Promise<void> {
    if (this.isEnded) return
    this.isEnded = true
    await this.comeToDraw()
    this.world.forgetBlocks()
  }

  comeToDraw(): Promise<void> {
    return comeToDraw(this.world.world, { do: 'come to the draw', drawIn: 30 })
  }

  /** A database of some time ago takes a while to be put back. */
  async restore(): Promise<void> {
    if (!this.isBackedUp) return
    await restoreRows(this.world.world.db, 'kept_backup')
    await this.world.pause(61)
    await sweepOnce(this.world.world, { runs: [], dieAt: null })
  }

  /** Nobody sends by hand what a call that he has signed may still pay. */
  async sendByHand({ buyer, percent, isRefund }: Extract<Step, { do: 'send by hand' }>): Promise<void> {
    const { world } = this
    const to = world.buyer(buyer)
    const sums = (await world.sums()).get(to)
    const due = sums ? sums.paidIn - sums.received : 0n
    const sum = isRefund ? (due * BigInt(percent)) / 100n : 10n ** 18n
    if (sum <= 0n || (isRefund && (await this.mayStillPay(to)))) return
    this.isUnread = true
    await world.send({
      ...{ from: operator, to: usdt, purpose: isRefund ? 'refund' : 'none' },
      data: transferData(to, sum),
    })
  }

  async mayStillPay(debtor: Address): Promise<boolean> {
    const paid = await this.world.paidTo(debtor)
    return this.pocket.some(
      ({ validUntil, debts }) =>
        validUntil >= this.world.world.clock.chain &&
        debts.some((debt) => debt.debtor.toLowerCase() === debtor && debt.total > paid),
    )
  }

  /** The desk's list becomes calls of so many payers; who has just sent something by hand waits a minute before. */
  async sign({ payer, perCall }: { payer: number; perCall: number }): Promise<string | undefined> {
    const { world } = this
    if (this.isUnread) await world.pause(61)
    const { body: summary } = await world.call('GET', '/api/admin/refunds/summary')
    const info = summary.events?.find((one: { eventNumber: number }) => one.eventNumber === 1)?.refundInfo
    const refundInfo = info ?? { totalTickets: 0, totalAmount: 0 }
    const { status, body } = await world.call('POST', '/api/admin/raffle/execute-refund', { refundInfo })
    if (status !== 200) return body.code
    type Line = { to: Address; units: string; total: string }
    const lines = (body.refundTransactions as Line[]).map((line) => ({
      ...{ debtor: line.to, units: BigInt(line.units), total: BigInt(line.total) },
    }))
    const validUntil = world.world.clock.chain + 3_600
    for (let at = 0; at < lines.length; at += perCall) {
      const debts = lines.slice(at, at + perCall)
      this.pocket.push({ debts, validUntil, data: encodePayUpTo(world.book, usdt, debts, validUntil) })
    }
    await this.approve(payer, sumOf(lines))
    return undefined
  }

  async approve(payer: number, units: bigint): Promise<void> {
    const data = encodeApprove(register.address, units)
    await this.world.send({ from: this.world.account(payer), to: usdt, data, purpose: 'call' })
  }

  async sendCall({ which, payer, times }: { which: number; payer: number; times: number }): Promise<void> {
    const call = this.pocket.at(-1 - (which % Math.max(1, this.pocket.length)))
    if (!call) return
    await this.approve(payer, sumOf(call.debts))
    const from = this.world.account(payer)
    for (let time = 0; time < times; time++)
      await this.world.send({ from, to: register.address, data: call.data, purpose: 'call' })
  }

  /** Another house pays somebody who has bought there too. */
  async payByAnotherBook({ buyer, units }: Extract<Step, { do: 'pay by another book' }>): Promise<void> {
    const { world } = this
    const book = `0x${'b0'.repeat(32)}` as const
    const debts = [{ debtor: world.buyer(buyer), total: units }]
    await this.approve(0, units)
    const data = encodePayUpTo(book, usdt, debts, world.world.clock.chain + 3_600)
    await world.send({ from: operator, to: register.address, data, purpose: 'other book' })
  }

  /** Says of everything that was sent by hand what it was for, as far as the desk has heard of it. */
  async markAll(): Promise<void> {
    for (const { transactionHash } of await this.byHand(null)) {
      const isRefund = this.world.purposes.get(transactionHash) === 'refund'
      const body = { transactionHash, markedAs: isRefund ? 'refund' : 'none' }
      const { status, body: answer } = await this.world.call('POST', '/api/admin/refunds/mark', body)
      expect([status, answer.code]).toEqual([200, undefined])
    }
  }

  async unmark(which: number): Promise<void> {
    const marked = await this.byHand('refund')
    const chosen = marked[which % Math.max(1, marked.length)]
    if (!chosen) return
    const { transactionHash } = chosen
    await this.world.call('POST', '/api/admin/refunds/mark', { transactionHash, markedAs: null })
  }

  async byHand(markedAs: 'refund' | null): Promise<{ transactionHash: Hash }[]> {
    type Transfer = { transactionHash: Hash; kind: string; markedAs: string | null }
    const found: Transfer[] = []
    for (const index of buyers) {
      const { body } = await this.world.call('GET', `/api/admin/refunds/${this.world.buyer(index)}`)
      found.push(...((body.transfers ?? []) as Transfer[]))
    }
    return found.filter((transfer) => transfer.kind === 'hand' && transfer.markedAs === markedAs)
  }

  /** An honest administrator goes on until nothing is due. */
  async payAll(): Promise<void> {
    // Once more where the database was put back to a day before the sale ended.
    await this.comeToDraw()
    for (let round = 0; round < 4; round++) {
      await this.world.work()
      await this.markAll()
      for (const index of buyers)
        await this.world.call('POST', `/api/admin/refunds/${this.world.buyer(index)}/release`, {})
      // Whose line was too small was not asked for his code.
      await this.world.work()
      this.isUnread = false
      this.pocket.length = 0
      expect([undefined, 'NOTHING_TO_REFUND', 'SALES_OPEN']).toContain(
        await this.sign({ payer: 7, perCall: 2 }),
      )
      if (this.pocket.length === 0) return
      for (let which = 0; which < this.pocket.length; which++)
        await this.sendCall({ which, payer: 7, times: 1 })
    }
  }
}

/** What each step does. */
const acts: { [N in Step['do']]: (played: Played, step: Extract<Step, { do: N }>) => unknown } = {
  pay: ({ world }, { buyer, units }) =>
    world.send({
      ...{ from: world.account(buyer), to: usdt, purpose: 'payment' },
      data: transferData(operator, units),
    }),
  'end the sale': (played) => played.end(),
  'send by hand': (played, step) => played.sendByHand(step),
  mark: (played) => played.markAll(),
  'take a mark back': (played, { which }) => played.unmark(which),
  sign: (played, step) => played.sign(step),
  'send a call': (played, step) => played.sendCall(step),
  'pay by another book': (played, step) => played.payByAnotherBook(step),
  work: async (played, { dieAt }) => {
    await played.world.work(dieAt)
    if (dieAt === null) played.isUnread = false
  },
  wait: ({ world }, { seconds }) => world.world.pass(seconds),
  'replace blocks': (played, { depth }) => {
    played.isUnread = true
    return played.world.rewind(depth)
  },
  'back up': (played) => {
    played.isBackedUp = true
    return keepRows(played.world.world.db, 'kept_backup')
  },
  restore: (played) => played.restore(),
  hold: ({ world }, { buyer }) => world.call('POST', `/api/admin/refunds/${world.buyer(buyer)}/hold`, {}),
  release: ({ world }, { buyer }) =>
    world.call('POST', `/api/admin/refunds/${world.buyer(buyer)}/release`, {}),
}

const sumOf = (lines: readonly { units: bigint }[]): bigint =>
  lines.reduce((sum, { units }) => sum + units, 0n)

test(`I15, I16: whatever is sent, signed, replaced and restored, everybody ends with exactly what he paid (${stories} stories)`, async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const world = await openRefundWorld(desk)
      try {
        await save(world.world, { do: 'save', drawIn: 2_000, minTickets: 1_000_000, wallet: undefined })
        // The house has asked the register for its wallet's books: another one that comes later does not shut it.
        await world.work()
        const played = new Played(world)
        for (const step of steps)
          await (acts[step.do] as (played: Played, step: Step) => unknown)(played, step)
        await played.payAll()
        for (const [buyer, { paidIn, received }] of await world.sums())
          expect({ buyer, received }).toEqual({ buyer, received: paidIn })
        const { body } = await world.call('GET', '/api/admin/refunds/summary')
        expect([body.due, body.held, body.dust?.payers]).toEqual(['0', '0', 0])
      } finally {
        await world.close()
      }
    }),
    { numRuns: stories, seed: inject('seed'), endOnFailure: true },
  )
}, 3_600_000)
