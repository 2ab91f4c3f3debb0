import type { BrowserContext, Page } from 'playwright-core'
import type { PublicConfig, PublicDrawnTicket, PublicState } from '../../../core/live/public.ts'
import { mostBuckets } from '../../../core/sales/sales.ts'
import type { PublicSales } from '../../../site/src/sales/StepChart.tsx'
import { drawnTickets, type Part } from '../../lab/told.ts'
import { madeUpProof } from './made-up-proof.ts'

const paths = {
  config: '/raffle/config',
  winners: '/raffle/winners',
  prizes: '/raffle/prizes',
  stats: '/raffle/stats',
  recent: '/tickets/recent',
  winner: '/raffle/winner',
  drawStatus: '/raffle/draw-status',
  history: '/raffle/history',
  eventSettings: '/event/settings',
  solvency: '/raffle/solvency',
  rules: '/raffle/rules',
} as const

/** Makes the stream and its calls return an invented state over the real one. */
export async function fakeState(
  context: BrowserContext,
  { url }: { url: string },
  state: Part,
): Promise<void> {
  const proof = madeUpProof((state.winners as PublicDrawnTicket[] | undefined) ?? drawnTickets(13, 1))
  await context.route('**/api/raffle/proof/13', (route) => route.fulfill({ json: proof }))
  // As a CDN of a closed country would let the server say.
  if (state.rules?.closedCountries)
    await context.route('**/api/visitor', (route) => route.fulfill({ json: { isCountryClosed: true } }))
  const { prizes } = state
  await context.route('**/api/raffle/prizes/*', (route) => {
    const asked = Number(new URL(route.request().url()).pathname.split('/').pop())
    return route.fulfill({ json: (prizes ?? []).filter((one) => one?.eventNumber === asked) })
  })
  const entries = Object.entries(paths) as [keyof typeof paths, string][]
  const parts = await Promise.all(
    entries.map(async ([name, path]) => {
      const real = await (await fetch(`${url}/api${path}`)).json()
      const part = name in state ? state[name] : real
      const whole = Array.isArray(part) || !real || !part ? part : { ...real, ...part }
      await context.route(`**/api${path}`, (route) => route.fulfill({ json: whole }))
      return [name, whole] as const
    }),
  )
  const { config, stats } = Object.fromEntries(parts) as unknown as PublicState
  const sales = madeUpSales(config, stats.ticketsSold)
  await context.route('**/api/raffle/sales/*', (route) => route.fulfill({ json: sales }))
  await context.addInitScript((known: Record<string, object | null>) => {
    let version = 1
    const streams: EventTarget[] = []
    const send = (stream: EventTarget, type: string, told: object) => {
      const data = JSON.stringify({ ...told, version, now: Date.now() })
      stream.dispatchEvent(new MessageEvent(type, { data }))
    }
    class Fake extends EventTarget {
      constructor() {
        super()
        streams.push(this)
        setTimeout(() => send(this, 'snapshot', known), 50)
        setInterval(() => send(this, 'beat', { stale: false }), 1000)
      }
      close() {}
    }
    const tellPage = (part: Record<string, object>) => {
      version++
      for (const [name, value] of Object.entries(part)) known[name] = { ...known[name], ...value }
      for (const stream of streams) send(stream, 'change', known)
    }
    Object.assign(window, { EventSource: Fake, tellPage })
  }, Object.fromEntries(parts))
}

/** Tells a page of `fakeState` parts of the state that have changed. */
export const tellPage = (page: Page, part: Part): Promise<void> =>
  page.evaluate((told) => (window as unknown as { tellPage: (part: Part) => void }).tellPage(told), part)

/** A sale that began ten days before now, and sold as many each day. */
function madeUpSales(
  { eventNumber, minTicketsForDraw, saleEndDate }: PublicConfig,
  sold: number,
): PublicSales {
  const now = Date.now()
  const from = now - 10 * 86_400_000
  const to = Math.min(now, saleEndDate ? Date.parse(saleEndDate) : now)
  const tickets = Array.from({ length: mostBuckets }, (_, index) =>
    Math.round((sold * (index + 1)) / mostBuckets),
  )
  return {
    ...{ eventNumber, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    bucketSeconds: Math.ceil((to - from) / 1_000 / mostBuckets),
    ...{ tickets, minTickets: minTicketsForDraw },
  }
}
