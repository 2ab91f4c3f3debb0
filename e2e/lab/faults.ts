/** A mistake that somebody could make in one place of the product. `find` stands once in its file. */
export type Fault = {
  /** What the product does wrong with it. */
  name: string
  file: string
  find: string
  replace: string
  /** Test files that are run in place of those that vitest finds related. */
  related?: readonly string[]
}

/** Chosen from the code alone: what is easily written wrong there, whatever tests say. */
export const faults: readonly Fault[] = [
  // Money
  {
    name: 'A part of a ticket price buys a whole ticket',
    file: 'core/money.ts',
    find: 'const count = units / ticketPrice',
    replace: 'const count = (units + ticketPrice - 1n) / ticketPrice',
  },
  {
    name: 'A payment in the second in which the sale ends still buys',
    file: 'core/payment/judge.ts',
    find: 'blockTime >= event.saleEnd',
    replace: 'blockTime > event.saleEnd',
  },
  {
    name: 'Terms are in force from the second after the one in which they begin',
    file: 'core/payment/judge.ts',
    find: '(since ?? saleStart) <= blockTime',
    replace: '(since ?? saleStart) < blockTime',
  },
  {
    name: 'The last ticket that an event may have is refused',
    file: 'core/payment/judge.ts',
    find: 'before + ticketCount > mostTickets',
    replace: 'before + ticketCount >= mostTickets',
  },
  // Terms and their lock
  {
    name: 'A price changes under the lock',
    file: 'db/rules.sql',
    find: '(OLD.locked_at IS NOT NULL OR OLD.frozen_at IS NOT NULL) AND (is_other',
    replace: '(OLD.frozen_at IS NOT NULL) AND (is_other',
    related: ['db/event/locks.test.ts'],
  },
  {
    name: 'A draw date is set a second time under the lock',
    file: 'db/rules.sql',
    find: 'OLD.stopped_at IS NULL AND OLD.draw_date IS NULL AND NEW.draw_date IS NOT NULL',
    replace: 'OLD.stopped_at IS NULL AND NEW.draw_date IS NOT NULL',
    related: ['db/event/locks.test.ts'],
  },
  {
    name: 'A price that was set after the first ticket was paid stays',
    file: 'db/rules.sql',
    find: 'ticket_price = was.ticket_price, ',
    replace: '',
    related: ['db/event/locks.test.ts'],
  },
  {
    name: 'An event names its own wallet among the former ones',
    file: 'db/rules.sql',
    find: 'WHERE number < e.number AND operator_wallet IS NOT NULL',
    replace: 'WHERE number <= e.number AND operator_wallet IS NOT NULL',
    related: ['db/event/locks.test.ts'],
  },
  {
    name: 'A restored house freezes its list before it was compared with the chain',
    file: 'db/payment/ledger.ts',
    find: 'if (await isShut(db)) return false',
    replace: '',
    related: ['api/event/restored.test.ts'],
  },
  {
    name: 'After a restore terms are taken that nobody has anchored',
    file: 'db/report/restored.ts',
    find: 'if (by.length === 0)',
    replace: 'if (by.length < 0)',
    related: ['infra/cli/after-restore.chain.test.ts'],
  },
  // List
  {
    name: 'The payments of a block are sorted from its last transaction to its first',
    file: 'core/payment/payment.ts',
    find: 'a.transactionIndex - b.transactionIndex',
    replace: 'b.transactionIndex - a.transactionIndex',
  },
  {
    name: 'The second payer of a transaction counts as recorded with the first',
    file: 'db/payment/fold.ts',
    find: '({ transactionHash, payer, wallet }: Pick<',
    replace: '({ transactionHash, wallet: payer, wallet }: Pick<',
    related: ['db/payment/fold.test.ts', 'db/payment/rewind.test.ts', 'worker/payment/missed.chain.test.ts'],
  },
  {
    name: 'Nobody waits for the lock on the event that is on sale',
    file: 'db/event/events.ts',
    find: "const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')",
    replace: 'const [event] = await tx.select().from(events).where(isNull(events.archivedAt))',
  },
  {
    name: 'A list that is frozen is frozen again',
    file: 'db/payment/ledger.ts',
    find: 'isNull(events.archivedAt), isNull(events.frozenAt), isNotNull(events.saleEnd)',
    replace: 'isNull(events.archivedAt), isNotNull(events.saleEnd)',
  },
  {
    name: 'Blocks are folded behind one that was replaced at the same height',
    file: 'db/event/sale.ts',
    find: '{scanCursor.hash} = $',
    replace: '{before.hash} = $',
  },
  // Draw
  {
    name: 'The first seed that has to be refused is accepted',
    file: 'core/draw/draw.ts',
    find: 'while (BigInt(seed) >= limit)',
    replace: 'while (BigInt(seed) > limit)',
  },
  {
    name: 'A winner may win again by another of his payments',
    file: 'core/draw/winners.ts',
    find: 'taken.push(...(await holdings.paymentsOf(payment.payer)))',
    replace: 'taken.push(payment)',
  },
  {
    name: 'A block in the very second of the draw date is not the draw block',
    file: 'core/chain/first-block.ts',
    find: 'block.timestamp >= time',
    replace: 'block.timestamp > time',
  },
  {
    name: 'A winner who is not hidden is announced again',
    file: 'db/draw/draws.ts',
    find: 'if (!event?.winnerClearedAt) return false',
    replace: 'if (!event) return false',
  },
  {
    name: 'The drawing goes on in the moment in which it is to end',
    file: 'core/live/state.ts',
    find: 'now < draw.drawnAt + drawingMs',
    replace: 'now <= draw.drawnAt + drawingMs',
  },
  {
    name: 'An event that was drawn enters refund mode all the same',
    file: 'db/event/sale.ts',
    find: "if (!(await recordEnding(tx, number, { kind: 'refunds', reason }))) return false",
    replace: "await recordEnding(tx, number, { kind: 'refunds', reason })",
    related: ['worker/draw/draw.chain.test.ts'],
  },
  {
    name: 'An anchor of the terms counts after the sale end',
    file: 'db/draw/anchors.ts',
    find: 'first(terms, null, saleEnd)',
    replace: 'first(terms, null, null)',
    related: ['worker/draw/anchor.chain.test.ts'],
  },
  {
    name: 'What a stranger anchors counts for the house',
    file: 'db/draw/anchors.ts',
    find: '(wallet === operatorWallet || wallet === anchorWallet) &&\n        (!from',
    replace: '(!from',
    related: ['worker/draw/anchor.chain.test.ts'],
  },
  {
    name: 'A proof leaves out one of the five blocks',
    file: 'core/draw/proof.ts',
    find: 'block.number !== (proof.blocks[0] as ProofBlock).number + index',
    replace: 'block.number < (proof.blocks[0] as ProofBlock).number + index',
  },
  {
    name: 'A prize is claimed in the moment in which its turn is over',
    file: 'core/prize/turns.ts',
    find: 'at >= from && at < until',
    replace: 'at >= from && at <= until',
  },
  // Refunds
  {
    name: 'A transfer that was none, as an administrator has said, counts as a refund',
    file: 'db/rules.sql',
    find: "WHERE m.marked_as = 'refund'\n    UNION ALL",
    replace: "WHERE m.marked_as <> 'prize'\n    UNION ALL",
    related: ['db/refund/dues.test.ts'],
  },
  {
    name: 'What was sent by hand and nobody has judged holds no line',
    file: 'db/refund/lines.ts',
    find: 'transfer: sql`d.is_unjudged`',
    replace: 'transfer: sql`false`',
  },
  {
    name: 'What the register paid by another book counts for ours',
    file: 'worker/chain/logs.ts',
    find: 'paid: paid.filter((one) => one.book === book)',
    replace: 'paid',
    related: ['worker/chain/outgoing.chain.test.ts', 'worker/refund/refunds.chain.test.ts'],
  },
  {
    name: 'What was paid for an event that was drawn goes back',
    file: 'db/rules.sql',
    find: "o.event_number = p.event_number AND o.kind = 'refunds' WHERE p.ticket_count > 0",
    replace: 'o.event_number = p.event_number WHERE p.ticket_count > 0',
    related: ['db/refund/dues.test.ts'],
  },
  {
    name: 'Transfers of replaced blocks stay on record',
    file: 'db/rules.sql',
    find: 'DELETE FROM outgoing_transfers WHERE coalesce(block_number > to_height, true);',
    replace: '',
    related: ['worker/refund/refunds.chain.test.ts'],
  },
  {
    name: 'A call names what is due in place of what a payer shall have received in all',
    file: 'site/src/admin/refund/pay.ts',
    find: 'part.map(({ to, total }) => ({ debtor: to, total: BigInt(total) }))',
    replace: 'part.map(({ to, units }) => ({ debtor: to, total: BigInt(units) }))',
  },
  // Login
  {
    name: 'A code of the second factor is good a second time',
    file: 'db/admin/admins.ts',
    find: 'lt(admins.otpLastStep, step)',
    replace: 'lt(admins.otpLastStep, step + 1)',
  },
  {
    name: 'Using a session keeps its password fresh',
    file: 'db/admin/sessions.ts',
    find: '{sessions.freshAt} > now()',
    replace: '{sessions.lastSeenAt} > now()',
  },
  {
    name: 'A session goes on outside of the address list',
    file: 'api/auth/guard.ts',
    find: '    expectListed(allowedIps, address)\n    if (!session)',
    replace: '    if (!session) expectListed(allowedIps, address)\n    if (!session)',
  },
  {
    name: 'What a dashboard asks by itself keeps an abandoned session alive',
    file: 'api/auth/guard.ts',
    find: 'if (!rules.background) await touchSession(',
    replace: 'await touchSession(',
  },
  {
    name: 'An address has one wrong login more than it may have',
    file: 'api/auth/login.ts',
    find: "name: 'password', calls: 10",
    replace: "name: 'password', calls: 11",
  },
  // Limits
  {
    name: 'The last call that a limit allows is refused',
    file: 'api/http/limits.ts',
    find: 'consumedPoints > calls * times',
    replace: 'consumedPoints >= calls * times',
  },
  {
    name: 'An upload may be longer than was signed for',
    file: 'api/upload/routes.ts',
    find: 'if (bytes.length !== size)',
    replace: 'if (bytes.length < size)',
  },
  // Live state
  {
    name: 'The seed is told before the winner is',
    file: 'core/live/state.ts',
    find: "event.entropy === 'blocks' && phase !== 'announced' ? null",
    replace: "event.entropy === 'blocks' && phase === 'drawing' ? null",
  },
  {
    name: 'A state that was published gives way to an older one',
    file: 'api/live/state.ts',
    find: 'next.version <= known.version',
    replace: 'next.version === known.version',
  },
  {
    name: 'The state stays stale after an outage in which nothing changed',
    file: 'api/live/state.ts',
    find: 'if (isStale || version !== facts?.version) void refresh()',
    replace: 'if (version !== facts?.version) void refresh()',
  },
  // Chain
  {
    name: 'Of two answers that as many endpoints give the first one decides',
    file: 'worker/chain/agree.ts',
    find: '!decided || most.length < enough || others.some(({ length }) => length === most.length)',
    replace: '!decided || most.length < enough',
  },
  {
    name: 'A block that one endpoint alone calls final is final',
    file: 'worker/chain/finality.ts',
    find: 'sorted[enough - 1]?.block.number',
    replace: 'sorted[0]?.block.number',
  },
]
