import type { AdminAction } from '../../core/admin/roles.ts'
import { type AskedCall, secondOf } from '../../core/admin/second-person.ts'
import { RaffleError } from '../../core/errors.ts'
import { askApproval, isOnlyVoice, lockWords, spendWord, type Wanted } from '../../db/admin/approvals.ts'
import type { Db } from '../../db/index.ts'
import { sha256Hex } from './token.ts'

/** A call lacks a second person's word: its transaction is undone, and what it wanted is asked for. */
class WordWanted extends Error {
  constructor(readonly wanted: Wanted) {
    super('A second administrator has to allow it.')
  }
}

/** `payload` is what is allowed: another value is another question; `after` is shown to the other administrator. */
type Matter = { payload: unknown; after: unknown }

type Asking = {
  isOn: boolean
  action: AdminAction
  adminId: number
  request: AskedCall
  /** Values of the call, as they were parsed. */
  values: unknown
}

/**
 * The word of a second administrator on one call. The call runs first: what it would change is what is asked for, and what is
 * refused anyway is never asked. Without the word its transaction is undone as a whole.
 */
export function secondPerson({ isOn, action, adminId, request, values }: Asking) {
  const rule = isOn ? secondOf(action) : undefined
  let isWanted = rule?.when === 'always'
  let words: Awaited<ReturnType<typeof lockWords>> = []

  const spend = async (tx: Db, wanted: Wanted, found: typeof words): Promise<void> => {
    const word = found.find(({ payloadSha256 }) => payloadSha256 === wanted.payloadSha256)
    if (!word) throw new WordWanted(wanted)
    await spendWord(tx, word.id)
  }

  const want = (): void => {
    expectDecided(action)
    isWanted = rule !== undefined
  }

  return {
    /** Before the action, which may change who is in office. */
    begin: async (tx: Db): Promise<void> => {
      if (rule) words = await lockWords(tx, adminId, action)
    },
    /** This call needs the word, by its values or by what it found. */
    want,
    /** The same, but not of one who has nobody to ask. Locks nothing without TWO_PERSON. */
    wantIfAny: async (tx: Db): Promise<void> => {
      if (!rule || !(await isOnlyVoice(tx, adminId))) want()
    },
    /** After the action, in its transaction. */
    end: async (tx: Db, { before, after }: { before: unknown; after: unknown }): Promise<void> => {
      if (!isWanted) return
      const payloadSha256 = hashOf({ action, values, before })
      await spend(tx, { action, payloadSha256, before, after, request }, words)
    },
    /** For a call with transactions of its own, inside the one that has the effect. */
    expect: async (tx: Db, { payload, after }: Matter): Promise<void> => {
      expectDecided(action)
      if (!isOn) return
      const payloadSha256 = hashOf({ action, values: payload })
      const found = await lockWords(tx, adminId, action)
      await spend(tx, { action, payloadSha256, before: null, after, request }, found)
    },
    /** Notes what was wanted, and throws SECOND_PERSON_REQUIRED; any other error as it is. */
    ask: async (db: Db, error: unknown): Promise<never> => {
      if (!(error instanceof WordWanted)) throw error
      const approvalId = await askApproval(db, adminId, error.wanted)
      throw new RaffleError(
        'SECOND_PERSON_REQUIRED',
        '다른 관리자의 확인이 필요합니다. 확인을 받은 뒤 다시 실행해주세요.',
        { approvalId },
      )
    },
  }
}

/** core/admin/second-person.ts decides: a call that asks without standing there is a bug. */
function expectDecided(action: AdminAction): void {
  if (!secondOf(action)) throw new Error(`${action} is not listed in core/admin/second-person.ts`)
}

/** Names in order, so that how a client wrote the body makes no difference. */
const hashOf = (value: unknown): string =>
  sha256Hex(
    JSON.stringify(value, (_, one) => {
      if (typeof one === 'bigint') return `${one}`
      if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
      return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
    }),
  )
