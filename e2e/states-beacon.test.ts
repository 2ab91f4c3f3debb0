import { expect, test } from 'vitest'
import { go, looks, shows, watchStates } from './lab/states.ts'
import { beaconTexts } from './lab/states-beacon-texts.ts'
import { texts } from './lab/states-texts.ts'
import { openStory, soon } from './lab/story.ts'
import { beaconState, drawnTickets, madeUp } from './long/screens/screen-states.ts'

const story = openStory()

/** Widest and narrowest, a language each. */
const extremes = looks.filter(
  ({ width, language }) => (width === 390) === (language === 'ko') && width !== 768,
)

test.each(extremes)('a draw waits for its round of drand at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watchStates(story, look, undefined, [/drand/])
  const overlay = '#draw dialog'
  const [, , { winner } = {}] = madeUp().find(([name]) => name === 'winner-announced') ?? []
  const signature = 'b4'.repeat(48)
  const asked: string[] = []
  const handedIn: unknown[] = []
  await page.route(/drand\.(sh|cloudflare\.com)|drand\.secureweb3\.com/, async (route) => {
    asked.push(route.request().url())
    // The first relay has no such round yet.
    await route.fulfill(asked.length === 1 ? { status: 404 } : { json: { round: 34_441_032, signature } })
  })
  await page.route('**/api/raffle/beacon', async (route) => {
    handedIn.push(route.request().postDataJSON())
    await route.fulfill({ json: {} })
  })
  await tell(beaconState('sealed', 3 * 86_400))
  await go(page, 'Home')
  await page.locator('#home [data-open-draw]').click()
  await shows(page, overlay, beaconTexts.beaconNamed[language])
  await tell(beaconState('sealed', 59))
  await shows(page, overlay, beaconTexts.beaconSettling[language])
  const waiting = beaconState('sealed', 43)
  await tell(waiting)
  await shows(page, overlay, beaconTexts.beaconWaiting[language])
  expect(asked).toEqual([])
  await tell({ drawStatus: { beacon: 'awaited' } })
  await page.clock.fastForward(43_000 + 15_000)
  await shows(page, overlay, beaconTexts.beaconLate[language])
  // A relay that is too slow on a busy machine is asked again as time goes on.
  const later = async () => {
    await page.clock.fastForward(20_000)
    return handedIn
  }
  await soon(later).toEqual([{ eventNumber: 1, signature: `0x${signature}` }])
  expect(asked.length).toBeGreaterThanOrEqual(2)
  expect(asked[0]).toMatch(/^https:\/\/[^/]+\/52db9ba70e0c[0-9a-f]+\/public\/34441032$/)
  await tell({ drawStatus: { beacon: 'found' } })
  await shows(page, overlay, beaconTexts.beaconFound[language])
  await page.keyboard.press('Escape')
  await go(page, 'Winner')
  await shows(page, '[data-board]', [
    ...beaconTexts.beaconSource[language],
    ...beaconTexts.beaconFound[language],
    '124045345',
  ])

  await page.route('**/api/raffle/winner', (route) => route.fulfill({ json: winner }))
  await tell({ drawStatus: { isDrawing: true } })
  await shows(page, overlay, texts.overlayDrawing[language])
  await page.clock.fastForward(10_000)
  await tell({
    drawStatus: { isDrawing: false },
    winner,
    winners: drawnTickets(13, 3),
  })
  await shows(page, overlay, texts.overlayWinner[language])
  await soon(() => page.locator(`${overlay} [data-others] li`).count()).toBe(2)
  await page.clock.fastForward(3_000)
  await page.locator('[data-winners] summary').click()
  await shows(page, '[data-board]', beaconTexts.several[language])
  await go(page, 'Buy Tickets')
  await page.locator('#buy [data-terms] > summary').click()
  await shows(page, '#buy [data-terms]', beaconTexts.promises[language])
})
