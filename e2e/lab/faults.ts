/** A mistake that somebody could make in one place of the product. `find` stands once in its file. */
export type Fault = {
  /** What the product does wrong with it. */
  name: string
  file: string
  find: string
  replace: string
  /** Test files that are run in place of those that vitest finds related. */
  related: readonly string[]
}

/** Chosen from the code alone: what is easily written wrong there, whatever tests say. Each with its file, and test files. */
const written = `
A part of a ticket price buys a whole ticket
core/money.ts
- const count = units / ticketPrice
+ const count = (units + ticketPrice - 1n) / ticketPrice

A payment in the second in which the sale ends still buys
core/payment/judge.ts
- blockTime >= event.saleEnd
+ blockTime > event.saleEnd

Terms are in force from the second after the one in which they begin
core/payment/judge.ts
- (since ?? saleStart) <= blockTime
+ (since ?? saleStart) < blockTime

The last ticket that an event may have is refused
core/payment/judge.ts
- before + ticketCount > mostTickets
+ before + ticketCount >= mostTickets

A price changes under the lock
db/rules.sql db/event/locks.test.ts
- (OLD.locked_at IS NOT NULL OR OLD.frozen_at IS NOT NULL) AND (is_other
+ (OLD.frozen_at IS NOT NULL) AND (is_other

A draw date is set a second time under the lock
db/rules.sql db/event/locks.test.ts
- OLD.stopped_at IS NULL AND OLD.draw_date IS NULL AND NEW.draw_date IS NOT NULL
+ OLD.stopped_at IS NULL AND NEW.draw_date IS NOT NULL

A price that was set after the first ticket was paid stays
db/rules.sql db/event/locks.test.ts
- ticket_price = was.ticket_price, s
+ s

An event names its own wallet among the former ones
db/rules.sql db/event/locks.test.ts
- WHERE number < e.number AND operator_wallet IS NOT NULL
+ WHERE number <= e.number AND operator_wallet IS NOT NULL

A restored house freezes its list before it was compared with the chain
db/payment/ledger.ts api/event/restored.test.ts
- if (await isShut(db)) return false

After a restore terms are taken that nobody has anchored
db/report/restored.ts infra/cli/after-restore.chain.test.ts
- if (by.length === 0)
+ if (by.length < 0)

The payments of a block are sorted from its last transaction to its first
core/payment/payment.ts
- a.transactionIndex - b.transactionIndex
+ b.transactionIndex - a.transactionIndex

The second payer of a transaction counts as recorded with the first
core/payment/payment.ts db/payment/fold.test.ts db/payment/rewind.test.ts worker/payment/missed.chain.test.ts
- [transactionHash, payer, wallet].join(' ')
+ [transactionHash, wallet].join(' ')

Nobody waits for the lock on the event that is on sale
db/event/events.ts
- const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')
+ const [event] = await tx.select().from(events).where(isNull(events.archivedAt))

A list that is frozen is frozen again
db/payment/ledger.ts
- isNull(events.archivedAt), isNull(events.frozenAt), isNotNull(events.saleEnd)
+ isNull(events.archivedAt), isNotNull(events.saleEnd)

Blocks are folded behind one that was replaced at the same height
db/event/sale.ts
- {cursors.hash} = $
+ {before.hash} = $

The first seed that has to be refused is accepted
core/draw/draw.ts
- while (BigInt(seed) >= limit)
+ while (BigInt(seed) > limit)

A winner may win again by another of his payments
core/draw/winners.ts
- taken.push(...(await holdings.paymentsOf(payment.payer)))
+ taken.push(payment)

A block in the very second of the draw date is not the draw block
core/chain/first-block.ts
- block.timestamp >= time
+ block.timestamp > time

A winner who is not hidden is announced again
db/draw/draws.ts
- if (!event?.winnerClearedAt) return false
+ if (!event) return false

The drawing goes on in the moment in which it is to end
core/live/state.ts
- now < draw.drawnAt + drawingMs
+ now <= draw.drawnAt + drawingMs

An event in refund mode enters it once more
db/event/sale.ts db/event/sale.test.ts
- if (!(await recordEnding(tx, event.number, { kind: 'refunds', reason }))) return false
+ await recordEnding(tx, event.number, { kind: 'refunds', reason })

An anchor of the terms counts after the sale end
db/draw/anchors.ts worker/draw/anchor.chain.test.ts
- first(terms, null, saleEnd)
+ first(terms, null, null)

What a stranger anchors counts for the house
db/draw/anchors.ts worker/draw/anchor.chain.test.ts
- (wallet === operatorWallet || wallet === anchorWallet) &&
-         (!from
+ (!from

A proof leaves out one of the five blocks
core/draw/proof.ts
- block.number !== (proof.blocks[0] as ProofBlock).number + index
+ block.number < (proof.blocks[0] as ProofBlock).number + index

A prize is claimed in the moment in which its turn is over
core/prize/turns.ts
- at >= from && at < until
+ at >= from && at <= until

A transfer that was none, as an administrator has said, counts as a refund
db/rules.sql db/refund/dues.test.ts
- AND m.marked_as = 'refund'
-     UNION ALL
+ AND m.marked_as <> 'prize'
+     UNION ALL

What was sent by hand and nobody has judged holds no line
db/refund/lines.ts
- d.is_unjudged
+ false

What the register paid by another book counts for ours
worker/chain/logs.ts worker/chain/outgoing.chain.test.ts worker/refund/refunds.chain.test.ts
- paid: paid.filter((one) => one.book === book)
+ paid

What was paid for an event that was drawn goes back
db/rules.sql db/refund/dues.test.ts
- o.event_number = p.event_number AND o.kind = 'refunds' WHERE p.ticket_count > 0
+ o.event_number = p.event_number WHERE p.ticket_count > 0

Transfers of replaced blocks stay on record
db/rules.sql worker/refund/refunds.chain.test.ts
- DELETE FROM outgoing_transfers WHERE coalesce(block_number > to_height, true);

A call names what is due in place of what a payer shall have received in all
site/src/admin/refund/pay.ts
- part.map(({ to, total }) => ({ debtor: to, total: BigInt(total) }))
+ part.map(({ to, units }) => ({ debtor: to, total: BigInt(units) }))

A code of the second factor is good a second time
db/admin/admins.ts
- lt(admins.otpLastStep, step)
+ lt(admins.otpLastStep, step + 1)

Using a session keeps its password fresh
db/admin/sessions.ts
- {sessions.freshAt} > now()
+ {sessions.lastSeenAt} > now()

A session goes on outside of the address list
api/auth/guard.ts
-     expectListed(allowedIps, address)
-     if (!session)
+     if (!session) expectListed(allowedIps, address)
+     if (!session)

What a dashboard asks by itself keeps an abandoned session alive
api/auth/guard.ts
- if (!rules.background) await touchSession(
+ await touchSession(

An address has one wrong login more than it may have
api/auth/login.ts
- name: 'password', calls: 10
+ name: 'password', calls: 11

The last call that a limit allows is refused
api/http/limits.ts
- consumedPoints > calls * times
+ consumedPoints >= calls * times

An upload may be longer than was signed for
api/upload/routes.ts
- if (bytes.length !== size)
+ if (bytes.length < size)

The seed is told before the winner is
core/live/state.ts
- config.entropy === 'blocks' && phase !== 'announced' ? null
+ config.entropy === 'blocks' && phase === 'drawing' ? null

A state that was published gives way to an older one
api/live/state.ts
- next.version <= known.version
+ next.version === known.version

The state stays stale after an outage in which nothing changed
api/live/state.ts
- if (isStale || version !== facts?.version) void refresh()
+ if (version !== facts?.version) void refresh()

Of two answers that as many endpoints give the first one decides
worker/chain/agree.ts
- !decided || most.length < enough || others.some(({ length }) => length === most.length)
+ !decided || most.length < enough

A block that one endpoint alone calls final is final
worker/chain/finality.ts
- sorted[enough - 1]?.block.number
+ sorted[0]?.block.number
`

export const faults: readonly Fault[] = written
  .trim()
  .split('\n\n')
  .map((text) => {
    const [name = '', place = '', ...lines] = text.split('\n')
    const [file = '', ...related] = place.split(' ')
    const side = (sign: string) =>
      lines.flatMap((line) => (line.startsWith(sign) ? line.slice(2) : [])).join('\n')
    return { name, file, related, find: side('- '), replace: side('+ ') }
  })
