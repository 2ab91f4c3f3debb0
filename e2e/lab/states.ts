import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PublicSales } from '../../core/sales/sales.ts'
import { apiAway, type openStory, soon } from './story.ts'
import type { Part } from './told.ts'
import { goTo, wordsOf } from './verbs.ts'

type Look = { width: number; language: 'en' | 'ko' }

/** Waits until each text can be read in this place; then nothing may be wider than the screen. */
export async function shows(page: Page, place: string, texts: readonly string[]): Promise<void> {
  const part = page.locator(place)
  const missing = async () => {
    const text = flat(await part.innerText())
    return texts.filter((wanted) => !text.includes(flat(wanted)))
  }
  await soon(missing).toEqual([])
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  expect([place, scrollWidth]).toEqual([place, clientWidth])
}

/** Capitals are a matter of style, and so are lines. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase()

/** Opens the folded menu where there is one. */
export async function go(page: Page, section: Parameters<typeof goTo>[1]): Promise<void> {
  const menu = page.getByRole('button', { name: wordsOf(page).still.header.menu, exact: true })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
  await goTo(page, section)
}

type Driven = Window & { tellPage: (state: object) => void }

const soldEvenly: PublicSales = {
  ...{
    eventNumber: 1,
    from: '2025-08-01T00:00:00.000Z',
    to: '2025-08-05T00:00:00.000Z',
    bucketSeconds: 86_400,
  },
  ...{ tickets: [10, 40, 90, 120], minTickets: 100 },
}

/** A stream that sends only what a test tells it, so that one visit can go through all states of a page. */
async function installStream(context: BrowserContext): Promise<void> {
  // Of an event that the server has never had.
  await context.route('**/api/raffle/sales/*', (route) => route.fulfill({ json: soldEvenly }))
  await context.addInitScript(() => {
    let told: Record<string, unknown> | undefined
    let version = 0
    const streams: EventTarget[] = []
    const send = (stream: EventTarget, type: string, data: object) =>
      stream.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
    class Stream extends EventTarget {
      readyState = 1
      constructor() {
        super()
        streams.push(this)
        if (told) setTimeout(() => send(this, 'snapshot', { ...told, version, now: Date.now() }), 0)
        setInterval(() => send(this, 'beat', { version, now: Date.now(), stale: false }), 1_000)
      }
      close() {
        streams.splice(streams.indexOf(this), 1)
      }
    }
    const tellPage = (state: Record<string, unknown>) => {
      version += 1
      const type = told ? 'change' : 'snapshot'
      told = { ...told, ...state }
      for (const stream of streams) send(stream, type, { ...state, version, now: Date.now() })
    }
    Object.assign(window, { EventSource: Stream, tellPage })
  })
}

/** Sends the page parts of the state; each is laid over the real one, as the server has it now. */
function openTeller(page: Page, url: string) {
  let known: Record<string, unknown> = {}
  const get = async (path: string) => (await fetch(`${url}/api${path}`)).json()
  return async (part: Part): Promise<void> => {
    if (!known.config) {
      const paths = ['/raffle/config', '/raffle/stats', '/raffle/draw-status', '/event/settings']
      const [config, stats, drawStatus, eventSettings] = await Promise.all(paths.map(get))
      known = { config, stats, drawStatus, eventSettings, recent: [], winner: null, history: [], prizes: [] }
    }
    const base = known
    const state = Object.entries(part).map(([name, value]) => {
      const whole =
        value !== null && !Array.isArray(value) && base[name]
          ? { ...(base[name] as object), ...(value as object) }
          : value
      return [name, whole]
    })
    known = { ...known, ...Object.fromEntries(state) }
    await page.evaluate((told) => (window as unknown as Driven).tellPage(told), known)
  }
}

/** A visit whose page shows what the teller says, on a clock that the test moves. */
export async function watchStates(story: ReturnType<typeof openStory>, { width, language }: Look) {
  const prepare = async (context: BrowserContext) => {
    await context.clock.install()
    await installStream(context)
  }
  const path = `${language === 'ko' ? '/ko/' : '/'}#recent`
  const allow = [...apiAway, /proof\/1[23]/]
  const { page } = await story.visit({ width, path, allow, withWallet: false, prepare })
  return { page, tell: openTeller(page, story.stack.url) }
}
