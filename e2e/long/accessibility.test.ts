import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openStory, soon } from '../lab/story.ts'
import { unfitting } from '../lab/unfitting.ts'
import { ownTickets, toastText, walletButton } from '../lab/verbs.ts'
import { fakeState } from './screens/fake-state.ts'
import { madeUp } from './screens/screen-states.ts'

const story = openStory()
const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const

type Stop = { name: string; isSeen: boolean; hasRing: boolean; isCovered: boolean }

/** The focused element: its name, and whether its focus is visible. */
const focused = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { left, top, width, height } = element.getBoundingClientRect()
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const ring = getComputedStyle(element.closest('[data-ring]') ?? element)
    const over = document.elementFromPoint(left + width / 2, top + height / 2)
    const label = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return {
      name: `${element.localName} ${label.trim().replace(/\s+/g, ' ').slice(0, 40)}`,
      isSeen: width > 0 && height > 0 && top >= 0 && top + height <= innerHeight + 1 && left >= 0,
      hasRing: [
        [outlineStyle, outlineWidth],
        [ring.outlineStyle, ring.outlineWidth],
      ].some(([style, size = '0']) => style !== 'none' && Number.parseFloat(size) >= 2),
      isCovered: !(over && (element.contains(over) || over.contains(element))),
    }
  })

/** Resets the focus as after a fresh load: a link to a section would start there. */
const fromTop = (page: Page) =>
  page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })

/** Presses Tab until the focus has left the page; returns every stop. */
async function walk(page: Page): Promise<Stop[]> {
  await fromTop(page)
  const stops: Stop[] = []
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    if (stop.name.startsWith('body') || stop.name === stops[0]?.name) return stops
    stops.push(stop)
  }
  throw new Error('The focus never leaves the page.')
}

test.each([1280, 390])(
  'at %i px every Tab stop is visible, outlined and not covered',
  async (width) => {
    const { page } = await story.visit({ path: '/favicon.svg', withWallet: false, width })
    for (const section of sections) {
      await page.goto(`${story.stack.url}/?from=${section}#${section}`)
      await page.waitForFunction((id) => !document.querySelector(`#${id} .bone`), section)
      const stops = await walk(page)
      expect(stops.length).toBeGreaterThan(6)
      const bad = stops.filter(({ isSeen, hasRing, isCovered }) => !isSeen || !hasRing || isCovered)
      expect([section, bad]).toEqual([section, []])
    }
  },
  240_000,
)

test('the first stop skips the header and stays in the section', async () => {
  const { page } = await story.visit({ path: '/#buy', withWallet: false })
  await fromTop(page)
  await page.keyboard.press('Tab')
  expect((await focused(page)).name).toBe('a Skip to content')
  await page.keyboard.press('Enter')
  await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(await page.locator('#buy').isVisible()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => Boolean(document.activeElement?.closest('#buy')))).toBe(true)
})

test('Tab follows the visual order of the header', async () => {
  const { page } = await story.visit({ withWallet: false })
  const stops = (await walk(page)).map(({ name }) => name)
  const menu = ['Home', 'Buy Tickets', 'Recent Purchases', 'Winner', 'Next Event']
  expect(stops.slice(0, 7)).toEqual([
    ...['a Skip to content', 'a Blockdraw, home', ...menu.map((name) => `button ${name}`)],
  ])
})

test('tickets can be bought by keyboard alone; the dialog traps the focus', async () => {
  const { page, wallet } = await story.visit()
  const press = async (name: RegExp, key = 'Enter') => {
    for (let step = 0; step < 60; step++) {
      if (name.test((await focused(page)).name)) return page.keyboard.press(key)
      await page.keyboard.press('Tab')
    }
    throw new Error(`The focus never reaches ${name}.`)
  }
  await press(/^button .*Connect Wallet$/)
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' })
  await dialog.waitFor()
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    const isKept = () => Boolean(document.activeElement?.matches('body, dialog *'))
    expect(await page.evaluate(isKept)).toBe(true)
  }
  await press(/Connect MetaMask/)
  await walletButton(page).waitFor()
  await press(/^button Buy Tickets$/)
  await soon(async () => (await focused(page)).name).toBe('h1 Buy Tickets')
  // Its script starts when it is seen.
  await soon(() => page.locator('#buy input').isEnabled()).toBe(true)
  await press(/^input/, 'ControlOrMeta+a')
  await page.keyboard.type('3')
  const approve = wallet.hold('eth_sendTransaction')
  await press(/^button Buy Tickets/)
  await toastText(page, 'Transaction in Progress')
  approve()
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
})

test('the overlay traps the focus, closes by Escape and returns the focus', async () => {
  const { page } = await story.visit({ withWallet: false })
  const opener = page.getByRole('button', { name: 'Start Draw' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const overlay = page.locator('#draw dialog')
  await overlay.waitFor()
  expect(await page.evaluate(() => Boolean(document.activeElement?.closest('#draw dialog')))).toBe(true)
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'hidden' })
  expect((await focused(page)).name).toBe('button Start Draw')
})

test('WCAG 1.4.12: texts are not cut with user-set text spacing', async () => {
  const { page } = await story.visit({ withWallet: false })
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [sheet]
  })
  for (const width of [1280, 390])
    for (const section of sections) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate((name) => {
        location.hash = name
      }, section)
      await page.locator(`#${section}`).waitFor()
      expect([width, section, await unfitting(page)]).toEqual([width, section, []])
    }
})

test('with reduced motion nothing moves, not even the draw', async () => {
  const drawing = madeUp().find(([name]) => name === 'winner-drawing')
  const { page } = await story.visit({
    withWallet: false,
    prepare: (context) => fakeState(context, story.stack, drawing?.[2] ?? {}),
  })
  await page.locator('#draw dialog[open]').waitFor()
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map((animation) => (animation as CSSAnimation).animationName),
  )
  // The bar of the ten seconds advances in ten steps.
  expect(moving).toEqual(['Overlay_fill'])
  const fill = page.locator('#draw [data-own-motion]')
  expect(await fill.evaluate((bar) => getComputedStyle(bar).animationTimingFunction)).toBe('steps(10)')
  const tiles = () => page.locator('[data-tiles]').innerText()
  const before = await tiles()
  await page.waitForTimeout(400)
  expect([await tiles(), before.replace(/\s/g, '')]).toEqual([before, '–––'])
})
