import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approvalHours } from '../../core/admin/second-person.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { createAdmin } from './admins.ts'
import { approve, askApproval, closeApproval, lockWords, spendWord } from './approvals.ts'

const { db } = await forFile(testDb())
const action = 'refund.release'
const people = await Promise.all(
  ['one', 'two', 'three'].map(async (username) => {
    const made = await createAdmin(db, { username, passwordHash: 'nobody’s', role: 'operator' })
    return made?.id as number
  }),
)

const who = fc.nat(people.length - 1)
const payload = fc.nat(1)
/** Of what has been asked; from the newest on. */
const nth = fc.nat(3)
const step = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), who, payload }),
  fc.record({ do: fc.constant('ask' as const), who, payload }),
  fc.record({ do: fc.constant('approve' as const), who, nth }),
  fc.record({ do: fc.constant('approve' as const), who, nth }),
  fc.record({ do: fc.constant('close' as const), who, nth }),
  fc.record({ do: fc.constant('use' as const), who, payload }),
  fc.record({ do: fc.constant('spend' as const), nth }),
  fc.record({ do: fc.constant('spend' as const), nth }),
  fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(1, 11, 23) }),
  fc.record({ do: fc.constant('break' as const), who }),
)
/** Mostly somebody asks and the next one approves; single steps come between. */
const steps = fc
  .array(
    fc.oneof(
      step.map((one) => [one]),
      fc.record({ who, payload }).map((one) => [
        { do: 'ask' as const, ...one },
        { do: 'approve' as const, who: (one.who + 1) % people.length, nth: 0 },
      ]),
    ),
    { minLength: 10, maxLength: 24 },
  )
  .map((some) => some.flat() as Step[])
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** What has been said, as people would remember it. `at` counts steps, `hour` the clock. */
type Said = {
  id: number
  asker: number
  payload: number
  hour: number
  askedAt: number
  approver?: number
  approvedAt?: number
  isOver: boolean
}

class Memory {
  said: Said[] = []
  hour = 0
  at = 0
  /** When somebody's role last changed. */
  breaks = people.map(() => -1)

  isOpen = (one: Said): boolean => !one.isOver && this.hour - one.hour < approvalHours
  isValid = ({ asker, askedAt, approver, approvedAt = 0 }: Said): boolean =>
    askedAt > (this.breaks[asker] as number) &&
    (approver === undefined || approvedAt > (this.breaks[approver] as number))
  asked = (asker: number, payload: number): Said[] =>
    this.said.filter((one) => one.asker === asker && one.payload === payload && this.isOpen(one))
}

const shaOf = (payload: number): string => `${payload}`.repeat(64)

async function ask(memory: Memory, asker: number, payload: number): Promise<void> {
  const before = memory.asked(asker, payload)
  const known = before.find(memory.isValid)
  const id = await askApproval(db, people[asker] as number, {
    ...{ action, payloadSha256: shaOf(payload), before: null, after: { payload } },
    request: { method: 'POST', path: `/${payload}` },
  })
  if (known) return expect(id).toBe(known.id)
  expect(memory.said.map((one) => one.id)).not.toContain(id)
  for (const one of before) one.isOver = true
  memory.said.push({ id, asker, payload, hour: memory.hour, askedAt: memory.at, isOver: false })
}

/** Spends a word where there is one, and only then. */
async function use(memory: Memory, asker: number, payload: number): Promise<'used' | undefined> {
  const usable = memory
    .asked(asker, payload)
    .filter((one) => one.approver !== undefined && memory.isValid(one))
  const used = await db.transaction(async (tx) => {
    const words = await lockWords(tx, people[asker] as number, action)
    const word = words.find(({ payloadSha256 }) => payloadSha256 === shaOf(payload))
    if (word) await spendWord(tx, word.id)
    return word?.id
  })
  expect(used).toBe(usable[0]?.id)
  if (!usable[0]) return undefined
  usable[0].isOver = true
  return 'used'
}

async function perform(memory: Memory, done: Step): Promise<'used' | undefined> {
  memory.at++
  if (done.do === 'ask') await ask(memory, done.who, done.payload)
  if (done.do === 'approve') {
    const one = memory.said.at(-1 - done.nth)
    if (!one) return undefined
    const given = await db
      .transaction((tx) => approve(tx, one.id, people[done.who] as number))
      .then(
        () => 'given',
        ({ code }) => code,
      )
    if (!memory.isOpen(one)) expect(given).toBe('NOT_FOUND')
    else if (one.asker === done.who) expect(given).toBe('OWN_REQUEST')
    else if (one.approver !== undefined) expect(given).toBe('ALREADY_PROCESSED')
    else {
      expect(given).toBe('given')
      Object.assign(one, { approver: done.who, approvedAt: memory.at })
    }
  }
  if (done.do === 'close') {
    const one = memory.said.at(-1 - done.nth)
    if (!one) return undefined
    await closeApproval(db, one.id, { by: people[done.who] as number, as: 'refused' })
    if (memory.isOpen(one)) one.isOver = true
  }
  if (done.do === 'spend') {
    const one = memory.said.at(-1 - done.nth)
    return one && use(memory, one.asker, one.payload)
  }
  if (done.do === 'use') return use(memory, done.who, done.payload)
  if (done.do === 'pass') {
    memory.hour += done.hours
    await withOtherPast(db, async (tx) => {
      const earlier = (column: string) => sql.raw(`${column} = ${column} - interval '${done.hours} hours'`)
      await tx.execute(
        sql`update approvals set ${earlier('asked_at')}, ${earlier('ends_at')}, ${earlier('approved_at')}, ${earlier('used_at')}`,
      )
      await tx.execute(sql`update admins set ${earlier('words_from')}`)
    })
  }
  if (done.do === 'break') {
    memory.breaks[done.who] = memory.at
    const id = people[done.who]
    // He is an auditor for a moment.
    await db.execute(sql`update admins set role = 'auditor' where id = ${id}`)
    await db.execute(sql`update admins set role = 'operator' where id = ${id}`)
  }
  return undefined
}

test('I43: a word counts once, for what another person has allowed within a day, whatever happens in between', async () => {
  let used = 0
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      await withOtherPast(db, (tx) => tx.execute(sql`delete from approvals`))
      await db.execute(sql`update admins set words_from = null`)
      const memory = new Memory()
      for (const one of some) if ((await perform(memory, one)) === 'used') used++
    }),
    { numRuns: 150, seed: 37 },
  )
  expect(used).toBeGreaterThan(50)
})

test('I43: the database itself refuses a word of one’s own, a second use, a late one, and another matter', async () => {
  await withOtherPast(db, (tx) => tx.execute(sql`delete from approvals`))
  const [one, two] = people as [number, number]
  const wanted = { action, payloadSha256: shaOf(1), before: null, after: null } as const
  const id = await askApproval(db, one, { ...wanted, request: { method: 'POST', path: '/1' } })
  const told = (change: string) =>
    db.execute(sql.raw(`update approvals set ${change} where id = ${id}`)).then(
      () => 'done',
      (error: Error) => `${(error.cause as Error).message}`,
    )
  expect(await told(`approved_by = ${one}, approved_at = now()`)).toMatch(/approvals_other/)
  expect(await told('used_at = now()')).toMatch(/approvals_used/)
  expect(await told(`payload_sha256 = 'other'`)).toMatch(/asked for otherwise/)
  expect(await told(`ends_at = ends_at + interval '1 day'`)).toMatch(/asked for otherwise/)
  expect(await told(`approved_by = ${two}, approved_at = now()`)).toBe('done')
  expect(await told(`approved_by = ${people[2]}, approved_at = now()`)).toMatch(/was given/)
  expect(await told('used_at = ends_at')).toMatch(/approvals_used/)
  expect(await told('used_at = now()')).toBe('done')
  expect(await told('used_at = now()')).toMatch(/is over/)
  expect(await told(`used_at = null`)).toMatch(/is over/)
})
