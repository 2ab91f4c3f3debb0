import type { Logger } from 'pino'
import { stopwatch } from '../../../core/server/time.ts'
import type { Keep } from './keep.ts'
import { makeBackup, rotate, sendBackup } from './make.ts'
import { inBucket, inDirectory, type Place } from './places.ts'
import { rehearse } from './rehearse.ts'
import { passingKey } from './seal.ts'
import { type BackupState, readState, saveState } from './state.ts'
import type { Tally } from './tally.ts'

export type Step = 'make' | 'send' | 'rehearse' | 'rotate'

type Options = {
  databaseUrl: string
  directory: string
  /** Off-site; left out, the backups stay in `directory` alone. */
  bucketUrl?: string | undefined
  recipients: readonly string[]
  everySeconds: number
  keep: Keep
  /** The server for the weekly copy; left out, that of the database itself. */
  checkUrl?: string | undefined
  log: Pick<Logger, 'info' | 'error'>
  onFailure: (step: Step) => void
}

const weekMs = 7 * 86_400_000

/** A backup that waits for its rehearsal, with the key that was made for it and what its rows add up to. */
type Fresh = { name: string; identity: string; expected: Tally }

/**
 * Makes, sends, rehearses and rotates backups. `turn` does what is due and never throws; what fails is logged,
 * counted and done at the next turn. It may be killed at any moment: the next start goes on from the files.
 */
export function openBackups({ log, onFailure, ...options }: Options) {
  const { databaseUrl, recipients, everySeconds, keep } = options
  const directory = inDirectory(options.directory)
  const bucket = options.bucketUrl === undefined ? undefined : inBucket(options.bucketUrl)
  const places: Place[] = bucket ? [directory, bucket] : [directory]
  let state: BackupState = readState(options.directory)
  let dueAt = performance.now() + untilDue(state, everySeconds * 1_000)
  let fresh: Fresh | undefined

  const note = (change: BackupState): void => {
    state = { ...state, ...change }
    saveState(options.directory, state)
  }

  async function step(name: Step, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (err) {
      onFailure(name)
      log.error({ step: name, err: wordsOf(err) }, 'backup failed')
      return false
    }
  }

  async function make(): Promise<void> {
    const durationMs = stopwatch()
    // What the server can open is only what it is about to open: the key goes with this process, or earlier.
    const key = isRehearsalDue(state) ? await passingKey() : undefined
    const readers = key ? [...recipients, key.recipient] : recipients
    const { tally, ...made } = await makeBackup(directory, { databaseUrl, recipients: readers })
    note({ made })
    fresh = key && { name: made.name, identity: key.identity, expected: tally }
    dueAt = performance.now() + everySeconds * 1_000
    log.info({ name: made.name, bytes: made.bytes, rows: made.rows, durationMs: durationMs() }, 'backup made')
  }

  async function send(): Promise<void> {
    const { made, sent } = state
    if (!bucket || !made || sent?.name === made.name) return
    const durationMs = stopwatch()
    const bytes = await sendBackup(directory, bucket, made.name)
    note({ sent: { name: made.name, at: made.at, bytes } })
    log.info({ name: made.name, bytes, host: bucket.host, durationMs: durationMs() }, 'backup sent')
  }

  /** The copy that would be needed is rehearsed: the one that is off-site. */
  async function rehearseFresh(): Promise<void> {
    if (!fresh || (bucket && state.sent?.name !== fresh.name)) return
    const { name, identity, expected } = fresh
    fresh = undefined
    const durationMs = stopwatch()
    let problem: string | null
    try {
      const content = await (bucket ?? directory).open(name)
      const serverUrl = options.checkUrl ?? databaseUrl
      problem = await rehearse({ content, identity, expected, serverUrl })
    } catch (error) {
      problem = wordsOf(error)
    }
    note({ rehearsed: { name, at: new Date().toISOString(), problem } })
    if (problem) throw new Error(`${name} cannot be trusted: ${problem}`)
    log.info({ name, rows: expected.rows, durationMs: durationMs() }, 'backup rehearsed')
  }

  return {
    state: (): BackupState => state,
    hasBucket: bucket !== undefined,
    async turn(): Promise<void> {
      const isDue = performance.now() >= dueAt
      if (isDue && !(await step('make', make))) return
      await step('send', send)
      await step('rehearse', rehearseFresh)
      if (isDue)
        for (const place of places) await step('rotate', async () => void (await rotate(place, keep)))
    },
  }
}

/** A backup in the future, by a clock that was wrong, is none. */
function untilDue({ made }: BackupState, everyMs: number): number {
  const age = made ? Date.now() - Date.parse(made.at) : Number.NaN
  return age >= 0 ? Math.max(0, everyMs - age) : 0
}

function isRehearsalDue({ rehearsed }: BackupState): boolean {
  const age = rehearsed ? Date.now() - Date.parse(rehearsed.at) : Number.NaN
  return rehearsed?.problem !== null || !(age >= 0 && age < weekMs)
}

/** The message alone: an error of a client may carry its address with the password. */
const wordsOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'unknown').replaceAll(/\b(\w+:\/\/)[^\s@/]*@/g, '$1…@')
}
