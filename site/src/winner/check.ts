import { atom, computed } from 'nanostores'
import type { BeaconNetwork } from '../../../core/draw/beacon.ts'
import { readAll, readText, refuseLarge, TooLargeError } from '../../../core/verify/download.ts'
import type { Known } from '../../../core/verify/verify.ts'
import { keptLines } from '../buy/kept-terms.ts'
import { verifyInFrame } from '../check/ask.ts'
import { addressProblem } from '../check/node.ts'
import { hasWinner, shownHistory } from '../live/history.ts'
import { $config, $history, $winner } from '../live/live.ts'
import { ApiError, apiBase } from '../shell/api.ts'
import type { FindingTexts } from '../texts/findings.ts'
import { lang, t } from '../texts/index.ts'
import { bscId } from '../wallet/eip1193.ts'
import { pinnedToken } from '../wallet/pinned.ts'
import { applyEvent, begin, type CheckLine, end, waitingLines } from './check-lines.ts'

export type Check = {
  eventNumber: number
  isRunning: boolean
  lines: CheckLine[]
  /** Why the check could not start, or why the node cannot be used. */
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

/** Shows another event's draw and stops the check of the former one. */
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

/** Sentences are loaded when they are needed, in the page's language alone. */
const findingTexts = async (): Promise<FindingTexts> =>
  (await (lang === 'ko' ? import('../messages/ko/findings.json') : import('../messages/en/findings.json')))
    .default

/** Terms lines that this browser kept of this raffle's event. */
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

/** Loaded only when the verifier needs it. */
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
