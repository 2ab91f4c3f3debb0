import { atom, computed } from 'nanostores'
import type { BeaconNetwork } from '../../../core/draw/beacon.ts'
import { readAll, readText, refuseLarge, TooLargeError } from '../../../core/verify/download.ts'
import {
  stepsOf,
  type VerifyEvent,
  type VerifyStatus,
  type VerifyStep,
  verdictOf,
  verifySteps,
} from '../../../core/verify/steps.ts'
import type { Known } from '../../../core/verify/verify.ts'
import { keptLines } from '../buy/kept-terms.ts'
import { verifyInFrame } from '../check/ask.ts'
import { addressProblem } from '../check/node.ts'
import { $config, $history, $winner } from '../live/live.ts'
import { hasWinner, shownHistory } from '../live/stage.ts'
import { ApiError, apiBase } from '../shell/api.ts'
import { type FindingTexts, type Statement, statementOf } from '../texts/findings.ts'
import { fill, lang, t } from '../texts/index.ts'
import { bscId } from '../wallet/eip1193.ts'
import { pinnedToken } from '../wallet/pinned.ts'

export type Check = {
  eventNumber: number
  isRunning: boolean
  lines: CheckLine[]
  trouble: string | undefined
}

/** The event a visitor asked for; else the newest one with a winner is shown. */
export const $chosenEvent = atom<number | undefined>()
export const $checkedEvent = computed([$chosenEvent, $winner, $history], (chosen, winner, history) => {
  if (chosen !== undefined) return chosen
  if (hasWinner(winner)) return winner.eventNumber
  return shownHistory(history ?? []).find(({ winnerWallet }) => winnerWallet)?.eventNumber
})
export const $check = atom<Check | undefined>()

export const proofPath = (eventNumber: number): string => `${apiBase}/api/raffle/proof/${eventNumber}`
export const ledgerPath = (eventNumber: number): string => `${apiBase}/api/raffle/ledger/${eventNumber}`
export const defaultEndpoint = (import.meta.env.PUBLIC_RPC_URLS ?? '').split(',')[0]?.trim() ?? ''

let running: AbortController | undefined

export function chooseEvent(eventNumber: number): void {
  $chosenEvent.set(eventNumber)
  if ($check.get()?.eventNumber === eventNumber) return
  running?.abort()
  $check.set(undefined)
}

/** Runs every check of the draw against this node, by these kept terms; a run in progress is aborted. */
export async function checkDraw(
  eventNumber: number,
  { endpoint, kept }: { endpoint: string; kept: readonly string[] },
): Promise<void> {
  running?.abort()
  const stop = new AbortController()
  running = stop
  const set = (change: Partial<Check>) => {
    const before = $check.get()
    if (!stop.signal.aborted && before) $check.set({ ...before, ...change })
  }
  $check.set({ eventNumber, isRunning: true, lines: begin(waitingLines()), trouble: undefined })
  const problem = addressProblem(endpoint, location.protocol === 'https:')
  if (problem) return set({ isRunning: false, lines: waitingLines(), trouble: t.check[problem] })
  try {
    const [texts, proof, beacon] = await Promise.all([
      findingTexts(),
      loadProof(eventNumber, stop.signal),
      builtInBeacon(),
    ])
    const known = { kept, chainId: bscId, token: pinnedToken() as Known['token'] }
    const list = readLedger(eventNumber, stop.signal)
    for await (const event of verifyInFrame({ proof, known, beacon, endpoint }, list, stop.signal)) {
      if (stop.signal.aborted) return
      const lines = applyEvent($check.get()?.lines ?? [], event, texts)
      set({ lines })
      if (event.kind === 'result' && event.step === 'chain' && event.finding === 'endpointFailed')
        set({ trouble: t.check.silentNode })
    }
    set({ isRunning: false, lines: end($check.get()?.lines ?? []) })
  } catch (error) {
    set({ isRunning: false, lines: waitingLines(), trouble: sentenceOf(error) })
  }
}

const findingTexts = async (): Promise<FindingTexts> =>
  (await (lang === 'ko' ? import('../messages/ko/findings.json') : import('../messages/en/findings.json')))
    .default

export const keptHere = (eventNumber: number): string[] => keptLines(eventNumber, $config.get()?.book ?? null)

/** The beacon of local mode, which no production build has. */
async function builtInBeacon(): Promise<BeaconNetwork | undefined> {
  const key = import.meta.env.PUBLIC_LOCAL_BEACON_KEY
  if (!key) return undefined
  const { localBeacon } = await import('../../../core/draw/local-beacon.ts')
  return localBeacon(key as `0x${string}`)
}

const proofs = new Map<number, string>()

/** A proof never changes, so it is loaded once. */
export async function loadProof(eventNumber: number, signal?: AbortSignal): Promise<string> {
  const known = proofs.get(eventNumber)
  if (known) return known
  const response = await fetch(proofPath(eventNumber), { credentials: 'same-origin', signal: signal ?? null })
  const text = await readText(response)
  if (!response.ok) throw new ApiError(response.status, text)
  proofs.set(eventNumber, text)
  return text
}

async function* readLedger(eventNumber: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await fetch(ledgerPath(eventNumber), { credentials: 'same-origin', signal })
  if (!response.ok || !response.body) throw new Error(`The site answered ${response.status}.`)
  refuseLarge(response)
  yield* readAll(response.body)
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return t.check.noProof
  if (error instanceof TooLargeError) return t.check.tooLarge
  return t.check.notLoaded
}

/** `text`: what was found, or the progress so far. */
export type CheckLine = Statement & {
  step: VerifyStep
  title: string
  state: 'waiting' | 'checking' | VerifyStatus
}

/** All checks of a draw, none of them started; those of a beacon join them where the draw has one. */
export const waitingLines = (): CheckLine[] => stepsOf('blocks').map(waitingLine)

const waitingLine = (step: VerifyStep): CheckLine => ({
  step,
  title: t.check.steps[step],
  state: 'waiting',
  text: '',
})

function withLine(lines: readonly CheckLine[], step: VerifyStep): CheckLine[] {
  if (lines.some((line) => line.step === step)) return [...lines]
  return [...lines, waitingLine(step)].sort(
    (a, b) => verifySteps.indexOf(a.step) - verifySteps.indexOf(b.step),
  )
}

/** @internal */
export function begin(lines: readonly CheckLine[]): CheckLine[] {
  const next = lines.findIndex(({ state }) => state === 'waiting')
  const isBusy = lines.some(({ state }) => state === 'checking')
  return lines.map((line, index) => (index === next && !isBusy ? { ...line, state: 'checking' } : line))
}

/** @internal */
export function applyEvent(
  lines: readonly CheckLine[],
  event: VerifyEvent,
  texts: FindingTexts,
): CheckLine[] {
  const done = withLine(lines, event.step).map((line): CheckLine => {
    if (line.step !== event.step) return line
    if (event.kind === 'progress') {
      const { done, total } = event
      return { ...line, state: 'checking', text: fill(t.check.progress, { done, total }) }
    }
    return { ...line, state: event.status, ...statementOf(texts, event, t.terms.names) }
  })
  return event.kind === 'result' ? begin(done) : done
}

/** The run has ended: lines without a result were not checked. @internal */
export const end = (lines: readonly CheckLine[]): CheckLine[] =>
  lines.map((line) =>
    line.state === 'waiting' || line.state === 'checking'
      ? { ...line, state: 'open', text: t.check.cutShort }
      : line,
  )

export const countDone = (lines: readonly CheckLine[]): number =>
  lines.filter(({ state }) => state !== 'waiting' && state !== 'checking').length

/** The summary. There is no verdict before the last line, and no good one unless every check was done. */
export function summaryOf(lines: readonly CheckLine[], isRunning: boolean) {
  const asked = lines.length
  const those = (of: CheckLine['state']) => lines.filter(({ state }) => state === of)
  const [passed, failed, open] = [those('passed'), those('failed'), those('open')]
  const verdict =
    isRunning || countDone(lines) === 0
      ? undefined
      : verdictOf(lines.map(({ state: status }) => ({ status })))
  const text =
    failed.length > 0
      ? fill(t.check.someFailed, { failed: failed.length, asked })
      : verdict === 'incomplete'
        ? fill(t.check.someOpen, { count: open.length, asked })
        : verdict || isRunning
          ? fill(verdict ? t.check.proven : t.check.allPassed, { passed: passed.length, asked })
          : fill(t.check.noneYet, { asked })
  return {
    verdict,
    text,
    open: verdict === 'incomplete' ? open.map(({ title }) => title) : [],
    next: verdict ? [...new Set(failed.flatMap(({ next }) => next ?? []))] : [],
  }
}
