import { atom, computed } from 'nanostores'
import type { BeaconNetwork } from '../../../core/draw/beacon.ts'
import { unitsOf } from '../../../core/money.ts'
import { contentLimit, readAll, readText, refuseLarge, TooLargeError } from '../../../core/verify/download.ts'
import type { KnownTerms } from '../../../core/verify/steps.ts'
import { keptPromises } from '../buy/promise.ts'
import { hasWinner, shownHistory } from '../live/history.ts'
import { $config, $history, $stats, $winner } from '../live/live.ts'
import { ApiError, apiBase } from '../shell/api.ts'
import { t } from '../texts/index.ts'
import { bscId } from '../wallet/eip1193.ts'
import { pinnedToken } from '../wallet/token.ts'
import { applyEvent, begin, type CheckLine, end, waitingLines } from './check-lines.ts'
import { addressProblem, openNode } from './node.ts'

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

/** Runs every check of the draw against this node; a run in progress is aborted. */
export async function checkDraw(eventNumber: number, endpoint: string): Promise<void> {
  running?.abort()
  const stop = new AbortController()
  running = stop
  const set = (change: Partial<Check>) => {
    const before = $check.get()
    if (!stop.signal.aborted && before) $check.set({ ...before, ...change })
  }
  $check.set({ eventNumber, isRunning: true, lines: begin(waitingLines()), trouble: undefined })
  const problem = addressProblem(endpoint, location.protocol === 'https:')
  if (problem) return set({ isRunning: false, lines: waitingLines(), trouble: problem })
  try {
    const [{ verifyDraw }, proof, content, beacon] = await Promise.all([
      import('../../../core/verify/verify.ts'),
      loadProof(eventNumber, stop.signal),
      loadContent(eventNumber, stop.signal),
      builtInBeacon(),
    ])
    const input = {
      proof,
      ledger: readLedger(eventNumber, stop.signal),
      rpc: openNode(endpoint, stop.signal),
      known: { ...knownTerms(eventNumber), content },
      beacon,
    }
    for await (const event of verifyDraw(input)) {
      if (stop.signal.aborted) return
      const lines = applyEvent($check.get()?.lines ?? [], event)
      set({ lines })
      if (event.kind === 'result' && event.step === 'chain' && event.status === 'unknown')
        set({ trouble: t.check.silentNode })
    }
    set({ isRunning: false, lines: end($check.get()?.lines ?? []) })
  } catch (error) {
    set({ isRunning: false, lines: waitingLines(), trouble: sentenceOf(error) })
  }
}

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
  const response = await fetch(proofPath(eventNumber), { credentials: 'omit', signal: signal ?? null })
  const text = await readText(response)
  if (!response.ok) throw new ApiError(response.status, text)
  proofs.set(eventNumber, text)
  return text
}

/** What the event raffles, as this site tells it; undefined where it tells none. */
async function loadContent(eventNumber: number, signal: AbortSignal): Promise<string | undefined> {
  const url = `${apiBase}/api/raffle/content/${eventNumber}`
  const response = await fetch(url, { credentials: 'omit', signal })
  return response.ok ? readText(response, contentLimit) : undefined
}

/** Loaded only when the verifier needs it. */
async function* readLedger(eventNumber: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await fetch(ledgerPath(eventNumber), { credentials: 'omit', signal })
  if (!response.ok || !response.body) throw new Error(`The site answered ${response.status}.`)
  refuseLarge(response)
  yield* readAll(response.body)
}

/** What this browser kept at its purchases and this page was built with, and what it says now, to compare with the proof. */
function knownTerms(eventNumber: number): KnownTerms {
  const kept = keptPromises(eventNumber)
  const token = pinnedToken() as `0x${string}` | undefined
  const known: KnownTerms = { eventNumber, chainId: bscId, ...(token && { token }), kept }
  const config = $config.get()
  const stats = $stats.get()
  if (config?.eventNumber !== eventNumber) return known
  const { operatorWallet, saleStart, saleEndDate, drawDate } = config
  return {
    ...known,
    shown: {
      saleStart,
      ...(operatorWallet && { operatorWallet }),
      ...(saleEndDate && { saleEndDate }),
      ...(drawDate && { drawDate }),
      ...(stats && { ticketPrice: `${unitsOf(Math.round(stats.ticketPrice * 100))}` }),
    },
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return t.check.noProof
  if (error instanceof TooLargeError) return t.check.tooLarge
  return t.check.notLoaded
}
