import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { encodeAnchor } from '../../core/draw/anchor.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { commitmentOfEvent } from '../../db/draw/anchors.ts'
import { termsOf } from '../../db/event/terms.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { AdminStory } from '../lab/admin-story.ts'
import { agree, openTab, panel } from '../lab/admin-verbs.ts'
import { mine, setNextTime, startBlocks, stopBlocks, waitBlocks } from '../lab/chain-verbs.ts'
import { promiseCopies } from '../lab/content.ts'
import { soon } from '../lab/story.ts'
import { usdtGas } from '../lab/usdt.ts'
import { connectWallet, ownTickets, pressBuy } from '../lab/verbs.ts'

/** The check talks to the test's own chain, which is another origin. */
const ownNode = [/request to a stranger: http:\/\/127\.0\.0\.1/, /ERR_CONNECTION_REFUSED/]
const overlay = (page: Page) => page.locator('#draw dialog')
/** A draw comes when it comes. */
const patience = { timeout: 120_000 }

/** Listens from now on, as the drawing lasts ten seconds. */
const drawingOn = (page: Page): Promise<void> => {
  const seen = overlay(page).getByText('Drawing in progress...').first().waitFor(patience)
  seen.catch(() => undefined) // awaited where the story expects it
  return seen
}

/** What the overlay says once it names the winner, read in one look. */
const revealOn = (page: Page): Promise<{ heading: string; digits: string[] }> => {
  const read = async () => {
    const shown = await page.waitForFunction(
      () => {
        const texts = (which: string) =>
          [...document.querySelectorAll<HTMLElement>(`#draw dialog[open] ${which}`)].map(
            (one) => one.innerText,
          )
        const heading = texts('h1, h2, h3').find((text) => text.startsWith('Winner: '))
        return heading ? { heading, digits: texts('[data-digit]') } : undefined
      },
      undefined,
      patience,
    )
    return shown.jsonValue() as Promise<{ heading: string; digits: string[] }>
  }
  const seen = read()
  seen.catch(() => undefined)
  return seen
}

/** One event of two prizes from the last ticket to its winners, shown, checked, cleared, and shown again. */
export function drawJourney({
  story,
  call,
  get,
  event,
  patch,
  pay,
  saleBegun,
  selling,
  endSale,
  ...desks
}: AdminStory): void {
  const anchor = async (url: string, number: number, commitment: Hex) => {
    const data = encodeAnchor((await get('/api/raffle/config')).book, number, commitment)
    const call = { from: operatorAccount, to: register.address, data, gas: usdtGas }
    await rpc(url, 'eth_sendTransaction', [call])
  }
  /** Terms are anchored before the sale end, the list between it and the draw date, as the dashboard does; blocks stop meanwhile. */
  async function endAndAnchor(): Promise<void> {
    const { url } = story.stack.chain
    await endSale()
    const dated = await event()
    const { number, saleEnd } = dated
    await anchor(url, number, termsSha256(await termsOf(story.stack.db, dated)))
    await waitBlocks(url, 1)
    onTestFinished(() => startBlocks(url))
    await stopBlocks(url)
    const end = (saleEnd as Date).getTime()
    await soon(async () => Date.now()).toBeGreaterThanOrEqual(end)
    await setNextTime(url, end / 1000)
    await mine(url, 4, 1)
    await soon(async () => (await event()).frozenAt).not.toBeNull()
    await anchor(url, number, commitmentOfEvent(await event()) as Hex)
    await setNextTime(url, end / 1000 + 5)
    await mine(url)
    await startBlocks(url)
  }

  test('an event is drawn by itself, shown, checked by a visitor, cleared in public, and drawn again with the same winner', async () => {
    const number = await selling({ untouched: true })
    await patch({ minTicketsForDraw: 12 })
    expect(await promiseCopies(call, 2)).toBe(200)
    const { page } = await story.visit({ account: 1, allow: ownNode })
    const { page: phone } = await story.visit({ withWallet: false, width: 390 })
    const { page: desk } = await desks.atDashboard('config')
    await saleBegun()
    await connectWallet(page)
    await pressBuy(page, 33)
    await ownTickets(page)
    for (const buyer of [2, 3, 4, 5]) await pay(buyer, 3 * buyer)
    await soon(async () => (await event()).ticketsSold).toBe(47)
    const [drawing, reveal] = [[drawingOn(page), drawingOn(phone)], revealOn(phone)]
    await endAndAnchor()
    await desk.getByText('판매가 끝나 추첨 일정과 지갑이 잠겼습니다.').waitFor()
    expect(await desk.getByLabel('최소 참여 인원').getAttribute('readonly')).not.toBeNull()

    // Both pages open by themselves, and close by themselves where the winner stands.
    await Promise.all(drawing)
    const told = await reveal
    await overlay(phone).waitFor({ state: 'hidden' })
    await soon(async () => new URL(phone.url()).hash).toBe('#winner')
    const winner = await get('/api/raffle/winner')
    const shown = `${winner.walletAddress.slice(0, 6)}…${winner.walletAddress.slice(-4)}`
    expect(told).toEqual({ heading: `Winner: ${shown}`, digits: [...winner.randomNumber.slice(-3)] })
    await phone.locator('[data-winner]', { hasText: shown }).waitFor()

    await overlay(page).waitFor({ state: 'hidden' })
    await checkDraw(page, number, story.stack.chain.url)
    await page.getByText('Certificate of the draw').click()
    expect(await page.getByRole('article', { name: `Certificate of event ${number}` }).innerText()).toContain(
      `/?event=${number}#winner`,
    )

    await openTab(desk, '블록체인 추첨')
    const press = async (action: string) => {
      await panel(desk).getByRole('button', { name: action }).click()
      await agree(desk, action, `${number}`)
    }
    await press('발표 지우기')
    await page.getByRole('heading', { name: 'Awaiting Draw' }).waitFor()
    const again = drawingOn(page)
    await press('추첨 시작')
    await again
    await page.keyboard.press('Escape')
    await overlay(page).waitFor({ state: 'hidden' })
    await page.locator('[data-winner]', { hasText: shown }).waitFor()
    const { randomNumber, ticketNumber } = winner
    expect(await get('/api/raffle/winner')).toMatchObject({ randomNumber, ticketNumber })
    await page.getByText('Changes to this event').click()
    const changes = page.getByRole('list', { name: `Changes to event ${number}` })
    await changes.getByText('announced → cleared').waitFor()
  })
}

/** A visitor's own check: incomplete with a node that is away, whole with one that answers; only a frame without origin asks them. */
async function checkDraw(page: Page, number: number, node: string): Promise<void> {
  const asked: Promise<string>[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin === new URL(node).origin && request.method() === 'POST')
      asked.push(
        request.allHeaders().then(({ origin }) => `${origin} ${new URL(request.frame().url()).pathname}`),
      )
  })
  await page.locator('#check-title').scrollIntoViewIfNeeded()
  const field = page.getByLabel(`Event #${number}, checked with this node`)
  await field.fill('http://127.0.0.1:65531')
  const isFrame = (url: URL) => url.pathname === '/check/'
  await page.route(isFrame, (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Check this draw' }).click()
  await page.getByText('The proof, or the check itself, could not be loaded').waitFor()
  await page.unroute(isFrame)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('This node does not answer.').waitFor()
  await page.locator('[data-verdict=incomplete]').waitFor()
  await field.fill(node)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('14 of 14 checks passed').waitFor()
  await page.locator('[data-verdict=verified]').waitFor()
  expect([...new Set(await Promise.all(asked))]).toEqual(['null /check/'])
  expect(await page.locator('iframe').count()).toBe(0)
}
