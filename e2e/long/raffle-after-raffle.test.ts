import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { EventPage } from '../../core/content/event-page.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, agree, arrive, fieldDate, fillLogin, openTab, panel } from '../lab/admin-verbs.ts'
import { fillBoth, openEditor, saveDraft, writePrize } from '../lab/content-verbs.ts'
import { drawSoon } from '../lab/draw-soon.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { threePrizes as prizes, threePrizesTitle as title } from '../lab/three-prizes.ts'
import { buyButton, connectWallet, goTo, ownTickets, pressBuy, toastText } from '../lab/verbs.ts'

const story = openStory({
  shareCards: true,
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
const get = async <T>(path: string): Promise<T> => (await call('GET', path)).body
const eventPage = (event: number) => get<EventPage>(`/api/raffle/event/${event}`)
const ticketsSold = async () => (await get<{ ticketsSold: number }>('/api/raffle/stats')).ticketsSold
/** What the server sends first, before any script. */
const source = async (path: string): Promise<string> => (await fetch(story.stack.url + path)).text()
const pay = async (buyer: number, usdt: number) =>
  payByHand(story.stack.chain.url, await story.account(buyer), usdt)

test('an administrator opens event 2 with three prizes, buyers meet its caps, it is drawn, and event 1 stays as it was', async () => {
  await login()
  await sellFirst()
  const { page: desk } = await story.visit({ path: '/admin-login', withWallet: false, width: 1440 })
  await fillLogin(desk)
  await arrive(desk)
  await writeContent(desk)
  await draftTerms(desk)

  const first = await firstDrawn()
  await openSecond(desk)
  await readAtFirstPaint()
  await buyUpToCaps()
  await bringDrawForward(desk)
  const winners = await drawn(2)
  expect(new Set(winners).size).toBe(3)
  await readWithoutScript('en', winners)
  await readWithoutScript('ko', winners)
  expect(await pagesOfFirst()).toEqual(first)
})

/** Two buyers of the first event, which draws itself while the second one is written. */
async function sellFirst(): Promise<void> {
  await call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 2 })
  await pay(1, 3)
  await pay(2, 6)
  await soon(ticketsSold).toBe(3)
  await drawSoon(call)
}

async function writeContent(desk: Page): Promise<void> {
  const form = await openEditor(desk)
  await fillBoth(form, '제목', title)
  await fillBoth(form, '소개', {
    en: 'Three prizes, {price} USDT a ticket.',
    ko: '경품 세 개, 한 장에 {price} USDT.',
  })
  await fillBoth(form, '검색과 공유 요약', {
    en: 'Tickets for three prizes.',
    ko: '세 가지 경품의 티켓입니다.',
  })
  for (const [index, prize] of prizes.entries()) await writePrize(form, index + 1, prize)
  await saveDraft(desk, form)
}

/** A late date, so that the caps can be met; it is brought forward then. */
async function draftTerms(desk: Page): Promise<void> {
  const card = desk.getByRole('region', { name: '다음 이벤트 조건' })
  const fill = (label: string, text: string) => card.getByLabel(label, { exact: true }).fill(text)
  await fill('추첨 일시 (UTC)', fieldDate(Date.now() + 86_400_000))
  await fill('최소 참여 인원', '10')
  await fill('최대 티켓 수', '12')
  await fill('지갑당 최대 티켓 수', '4')
  await card.getByRole('button', { name: '초안 저장' }).click()
  await card.getByText('초안이 저장되어 있습니다.').waitFor()
  expect(await card.getByLabel('당첨자 수와 경품').inputValue()).toBe('3명 · 물건 · 물건 · 500 USDT')
}

/** The wallets in order of the places, once the result is there. */
async function drawn(event: number): Promise<string[]> {
  const result = async () => (await eventPage(event)).result
  await expect.poll(result, { timeout: 60_000 }).not.toBeNull()
  return ((await result())?.winners ?? []).map(({ walletAddress }) => walletAddress)
}

const pagesOfFirst = () => Promise.all(['/e/1/', '/ko/e/1/'].map(source))

/** Its pages with the result, and with the picture of the result for shared links. */
async function firstDrawn(): Promise<string[]> {
  const [winner] = await drawn(1)
  for (const path of ['/e/1/', '/ko/e/1/'])
    await soon(async () => {
      const page = await source(path)
      return [page.includes(`title="${winner}"`), /property="og:image" content="\/share\//.test(page)]
    }).toEqual([true, true])
  return pagesOfFirst()
}

/** The button comes by itself when the open event is over. */
async function openSecond(desk: Page): Promise<void> {
  await desk.getByRole('button', { name: '이벤트 2 시작' }).click()
  await agree(desk, '보관하고 시작')
  expect(await toastText(desk, '다음 이벤트를 시작했습니다')).toContain('이벤트 #2')
  const promised = { eventNumber: 2, minTicketsForDraw: 10, maxTickets: 12, maxPerWallet: 4, winners: 3 }
  await soon(() => get('/api/raffle/config')).toMatchObject(promised)
}

async function readAtFirstPaint(): Promise<void> {
  for (const [path, language] of [
    ['/', 'en'],
    ['/ko/', 'ko'],
    ['/e/2/', 'en'],
    ['/ko/e/2/', 'ko'],
  ] as const) {
    const [line] = title[language].split('\n')
    await soon(() => source(path)).toContain(`<span>${line} </span>`)
    const page = await source(path)
    const pictures = [
      ...page.matchAll(
        /<img src="(\/pictures\/[0-9a-f]{64}\.png)" width="(\d+)" height="\d+" alt="([^"]*)"/g,
      ),
    ]
    expect(pictures.map(([, , width, alt]) => [width, alt])).toEqual(
      prizes.map(({ picture }, index) => [['1200', '800', '900'][index], picture.alt[language]]),
    )
    for (const { name, value } of prizes)
      expect(page).toMatch(new RegExp(`<h3>${name[language]}</h3>.*?<dd>\\${value}</dd>`))
    for (const [, src] of pictures) expect((await fetch(story.stack.url + src)).status).toBe(200)
  }
}

/** Four tickets are the most of a wallet, on the page and past it; twelve are all there are. */
async function buyUpToCaps(): Promise<void> {
  const { page } = await story.visit({ account: 1 })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByText('Up to 4 tickets per wallet; you have 0. 12 tickets are left.').waitFor()
  await page.locator('#quantity').fill('9')
  expect(await page.locator('#quantity').inputValue()).toBe('4')
  await pressBuy(page, 4)
  expect(await ownTickets(page)).toBe('#1–#4')
  await soon(() => page.locator('#buy-reason').innerText()).toContain('None left for this wallet.')
  expect(await buyButton(page).isDisabled()).toBe(true)

  const beyond = await pay(1, 3)
  await soon(() => get(`/api/tickets/purchase/${beyond}`)).toMatchObject({
    ...{ status: 'rejected', reason: 'over_cap', payments: [{ ticketCount: 0, amount: 300 }] },
  })
  for (const [buyer, usdt] of [
    [2, 12],
    [3, 9],
    [4, 3],
  ] as const)
    await pay(buyer, usdt)
  await soon(ticketsSold).toBe(12)
  await page.getByRole('button', { name: 'Sold out' }).waitFor()
  // The wallet's own list is read again with each sale.
  await page
    .getByRole('region', { name: 'My tickets' })
    .getByText('Rejected, above the ticket limit')
    .waitFor()
}

async function bringDrawForward(desk: Page): Promise<void> {
  await openTab(desk, '기본 설정')
  await panel(desk)
    .getByLabel('추첨 일시 (UTC)', { exact: true })
    .fill(fieldDate(Date.now() + 17_000))
  await desk.getByRole('button', { name: '설정 저장' }).click()
  await agree(desk, '변경 저장')
  await toastText(desk, '설정을 저장했습니다')
}

async function readWithoutScript(language: 'en' | 'ko', winners: readonly string[]): Promise<void> {
  const path = language === 'ko' ? '/ko/e/2/' : '/e/2/'
  await soon(() => source(path)).toContain(`title="${winners[0]}"`)
  const { page } = await story.visit({ path, javaScript: false, withWallet: false, width: 390 })
  const places = page.locator('[data-slot=result] ol.winners > li')
  const shown = await places
    .locator('[title^="0x"].wallet')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  expect(shown).toEqual(winners)
  for (const place of await places.all()) expect(await place.isVisible()).toBe(true)
  const names = prizes.map(({ name }) => name[language])
  expect(await page.locator('[data-slot=record] h3').allInnerTexts()).toEqual(names)
  for (const { picture } of prizes)
    expect(await page.getByRole('img', { name: picture.alt[language] }).isVisible()).toBe(true)
  expect(await page.locator('[data-slot=terms-line]').innerText()).toBe((await eventPage(2)).terms.trim())
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const proof = await page.locator('a[href="/api/raffle/proof/2"]').first().getAttribute('href')
  expect((await fetch(story.stack.url + proof)).status).toBe(200)
}
