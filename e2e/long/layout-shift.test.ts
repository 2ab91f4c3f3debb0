import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openStory } from '../lab/story.ts'
import type { Part } from '../lab/told.ts'
import { fakeState } from './screens/fake-state.ts'
import { madeUp } from './screens/screen-states.ts'

const story = openStory()
const states = Object.fromEntries(madeUp().map(([name, , state]) => [name, state]))

/** Records every shift from the first byte on, with the elements that moved. */
const watchShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number
          sources: { node: Element | null }[]
        }
        const nodes = sources.map(({ node }) => `${node?.localName}.${node?.className}`)
        shifts.push(`${value.toFixed(4)} ${nodes.join(', ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Fonts load late, as on a slow line. */
const delayFonts = (context: BrowserContext) =>
  context.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })

/** Shifts until the section is complete: islands, values, fonts, and one frame painted with them. */
async function settledShifts(page: Page, section: string): Promise<string[]> {
  await page.waitForFunction(
    (id) =>
      document.documentElement.matches('[data-known]:not([data-unpacking])') &&
      // What lies below the screen, or in a closed fold, starts when it is seen.
      ![...document.querySelectorAll(`#${id} [aria-busy=true]:not(details:not([open]) *)`)].some(
        (element) => element.getBoundingClientRect().top < innerHeight,
      ),
    section,
  )
  return page.evaluate(async () => {
    await document.fonts.ready
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    for (let count = 0; count < 3; count++) await frame()
    return (window as never as { shifts: string[] }).shifts
  })
}

/** A visit whose shifts are watched, in an invented state or the real one. */
const watched = (state?: Part) =>
  story.visit({
    path: '/favicon.svg',
    withWallet: false,
    // An invented winner has no proof.
    allow: state ? [/404/] : [],
    prepare: async (context) => {
      await watchShifts(context)
      await delayFonts(context)
      if (state) await fakeState(context, story.stack, state)
    },
  })

test.each([
  ['a running sale', 'home-scheduled', ['home', 'buy', 'recent']],
  ['the end of the sale', 'winner-awaiting', ['home', 'buy', 'winner']],
  ['a winner', 'winner-announced', ['home', 'winner']],
  ['a closed country', 'house-closed', ['buy']],
  ['rules to confirm', 'house-confirm', ['buy']],
] as const)(
  'with %s nothing shifts while the page loads',
  async (_, name, sections) => {
    const { page } = await watched(states[name])
    for (const path of ['/', '/ko/'])
      for (const width of [1440, 390])
        for (const section of sections) {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(`${story.stack.url}${path}?at=${width}-${section}#${section}`)
          const house = '#buy :is([aria-labelledby=house-confirm] button, [data-gate=closed])'
          if (name.startsWith('house')) await page.locator(house).waitFor({ state: 'attached' })
          const shifts = await settledShifts(page, section)
          expect([path, width, section, shifts]).toEqual([path, width, section, []])
        }
  },
  240_000,
)

test('nothing shifts while the page of a running event loads, nor on the published home page', async () => {
  const { page } = await watched()
  for (const [path, section] of [
    ['/e/1/', 'main'],
    ['/ko/e/1/', 'main'],
    ['/', 'home'],
    ['/ko/', 'home'],
  ] as const)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${story.stack.url}${path}?at=${width}`)
      expect([path, width, await settledShifts(page, section)]).toEqual([path, width, []])
    }
})
