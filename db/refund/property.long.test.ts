import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'

const seeds = Number(process.env.REFUND_SEEDS ?? 12)
const actions = [
  ...['pay', 'pay', 'pay', 'buy', 'serve', 'serve', 'serve', 'prepare', 'offer', 'lose', 'mine', 'mine'],
  ...['refold', 'reorg', 'vanish', 'grow', 'takeBack', 'refundMode'],
] as const
type Step = { do: (typeof actions)[number]; a: number }

/** A trail and, beside the database, what its chain says that everybody is owed. */
class Story {
  /** The first block in which each payment and transfer ever stood, by its hash. */
  private since = new Map<string, bigint>()
  private missing: FoundPayment[] = []
  /** Removed by a reorg from this block on and not refolded yet. */
  private gap: number | undefined
  hasLost = false

  constructor(readonly trail: RefundTrail) {}

  /** The amount still owed to `payer`: every transfer lowers what was owed at its block, down to zero. */
  backlog(payer: Address, payments = this.refundable()): bigint {
    const moments = [
      ...payments.map((p) => ({
        payer: p.payer,
        block: this.since.get(p.transactionHash) ?? 0n,
        units: p.units,
      })),
      ...this.trail.transfers.map((t) => ({
        payer: t.recipient,
        block: this.firstBlock(t),
        units: -t.units,
      })),
    ].filter((moment) => moment.payer === payer)
    moments.sort((a, b) => Number(a.block - b.block) || Number(a.units - b.units))
    return moments.reduce((owed, { units }) => (owed + units > 0n ? owed + units : 0n), 0n)
  }

  private firstBlock({
    transactionHash,
    blockNumber,
  }: {
    transactionHash: string
    blockNumber: bigint
  }): bigint {
    if (!this.since.has(transactionHash)) this.since.set(transactionHash, blockNumber)
    return this.since.get(transactionHash) as bigint
  }

  async run(step: Step): Promise<void> {
    const { trail } = this
    if (step.do !== 'takeBack' && this.gap !== undefined && step.a % 2 === 0) await this.fill()
    if (step.do === 'pay' || step.do === 'buy') await this.pay(step)
    // A whole round of the desk, up to a signature that is not mined yet.
    if (step.do === 'serve')
      for (const kind of ['leftover', 'event'] as const) {
        await trail.prepare(kind)
        await this.offer(true)
      }
    if (step.do === 'prepare') await trail.prepare(step.a % 2 ? 'event' : 'leftover')
    if (step.do === 'offer' || step.do === 'lose') await this.offer(step.do === 'offer')
    if (step.do === 'mine') await trail.mine()
    for (const transfer of trail.transfers) this.firstBlock(transfer)
    if (step.do === 'refundMode') {
      await this.fill()
      await trail.enterRefundMode()
    }
    // Mostly all of it, sometimes a part.
    const from = step.a % 2 ? 2 : 2 + (step.a % trail.height)
    if (step.do === 'takeBack' && this.gap === undefined) {
      await trail.takeBack(from)
      this.gap = from
    }
    if (['refold', 'reorg', 'vanish', 'grow'].includes(step.do)) {
      await this.fill()
      await this.refold(step, from)
    }
  }

  async fill(): Promise<void> {
    if (this.gap === undefined) return
    await this.trail.foldAnew({ from: this.gap })
    this.gap = undefined
  }

  /** Removed payments return or stay away; then every payer is paid. */
  async finish(comesBack: boolean): Promise<void> {
    await this.fill()
    await this.trail.enterRefundMode()
    if (comesBack) await this.giveBack()
    else if (this.missing.length > 0) this.hasLost = true
    for (let round = 0; round < 8; round++) {
      // A row that was offered is leased to its page for a minute, whatever the chain says.
      await this.trail.abandon()
      await this.trail.mine()
      await this.trail.prepare('leftover')
      await this.trail.prepare('event')
      await this.offer(true)
    }
    expect(this.trail.pool).toEqual([])
  }

  private async pay({ do: what, a }: Step): Promise<void> {
    await this.fill()
    const cents = (what === 'buy' ? 300 : 10) + (a % 7) * 10
    const payment = await this.trail.pay(a % 3 === 0 ? bob : alice, cents)
    this.firstBlock(payment)
  }

  private async offer(isHeard: boolean): Promise<void> {
    const before = this.trail.pool.length
    const live = this.gap === undefined ? this.refundable() : this.before(this.gap)
    await this.trail.offer({ isHeard })
    for (const payer of [alice, bob]) {
      const sent = this.trail.pool.slice(before).filter(({ to }) => to === payer)
      const handedOut = sent.reduce((sum, { units }) => sum + units, 0n)
      if (handedOut > 0n) expect(this.underWay(payer) <= this.backlog(payer, live)).toBe(true)
    }
  }

  private async refold({ do: what, a }: Step, from: number): Promise<void> {
    const { trail } = this
    const gone = trail.payments.filter(({ blockNumber }) => blockNumber >= from)
    const chosen = gone[a % Math.max(1, gone.length)]
    if (what === 'vanish' && chosen) this.missing.push(chosen)
    const change = (payment: FoundPayment) => {
      if (payment !== chosen) return payment
      if (what === 'vanish') return undefined
      return what === 'grow' ? { ...payment, units: payment.units + 1_000n } : payment
    }
    await trail.refold({ from, isReorg: what === 'reorg', change })
  }

  private async giveBack(): Promise<void> {
    for (const payment of this.missing.splice(0)) await this.trail.fold(payment)
  }

  private refundable = (): FoundPayment[] =>
    this.trail.payments.filter((p) => this.trail.isRefundMode || p.units < 3n * 10n ** 18n)
  private before = (block: number): FoundPayment[] =>
    this.refundable().filter(({ blockNumber }) => blockNumber < block)
  private underWay = (payer: Address): bigint =>
    this.trail.pool.filter(({ to }) => to === payer).reduce((sum, { units }) => sum + units, 0n)
}

const stories = fc.record({
  steps: fc.array(fc.record({ do: fc.constantFrom(...actions), a: fc.nat(40) }), {
    minLength: 8,
    maxLength: 30,
  }),
  comesBack: fc.boolean(),
})

test('I33 however the ledger is refolded, nobody is sent more than the chain owes, and in the end everybody that', {
  timeout: 240_000 + seeds * 10_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ steps, comesBack }) => {
      const own: TestDb = await testDb()
      try {
        const story = new Story(await RefundTrail.open(own))
        for (const step of steps) await story.run(step)
        await story.finish(comesBack)
        const { trail } = story
        for (const payer of [alice, bob]) {
          expect(story.backlog(payer)).toBe(0n)
          const owed = trail.payments
            .filter((payment) => payment.payer === payer)
            .reduce((sum, { units }) => sum + units, 0n)
          if (!story.hasLost) expect(trail.paidTo(payer)).toBe(owed)
        }
      } finally {
        await own.close()
      }
    }),
    {
      numRuns: seeds,
      endOnFailure: true,
      seed: Number(process.env.REFUND_SEED ?? 20),
    },
  )
})
