import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { firstEventContent } from '../core/content/first-event.ts'
import { createAdminClient } from './lab/admin-client.ts'
import { admin, agree, arrive, fillLogin, openTab, png, refusals } from './lab/admin-verbs.ts'
import { fillBoth, openEditor, pressSave, prizeOf } from './lab/content-verbs.ts'
import { payByHand } from './lab/pay.ts'
import { openStory, soon } from './lab/story.ts'
import { toastText } from './lab/verbs.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })
const client = createAdminClient(() => story.stack.url, admin)
const ask = async (method: string, path: string, body?: unknown) =>
  (await client.call(method, path, body)).body
const nextContent = '/api/admin/raffle/next-content'

/** An administrator at the editor of the next event's content. */
async function atEditor() {
  const { page, context } = await story.visit({
    path: '/admin-login',
    allow: refusals,
    withWallet: false,
    width: 1440,
  })
  await fillLogin(page)
  await arrive(page)
  const form = await openEditor(page)
  return { page, context, form, preview: page.frameLocator('iframe[title^="미리보기"]') }
}

const both = (part: Locator, label: string, en: string, ko: string) => fillBoth(part, label, { en, ko })
const titleOf = (preview: FrameLocator) => preview.locator('[data-slot="hero-title"]').innerText()

test('an administrator writes three prizes in two languages with pictures, sees them at once, and saves them', async () => {
  await client.login()
  const { page, form, preview } = await atEditor()
  await soon(() => titleOf(preview)).toContain('채굴기 한 대')
  await both(form, '제목', 'Two miners,\none phone.', '채굴기 두 대,\n휴대전화 한 대.')
  await soon(() => titleOf(preview)).toContain('채굴기 두 대')
  await prizeOf(form, 1).getByLabel('수량').fill('2')
  await form.getByRole('button', { name: '경품 추가' }).click()
  await both(prizeOf(form, 2), '이름', 'Phone', '휴대전화')
  await prizeOf(form, 2).getByLabel('인쇄되는 가치').fill('$900')
  await form.getByRole('button', { name: '경품 추가' }).click()
  await both(prizeOf(form, 3), '이름', 'Money', '상금')
  await prizeOf(form, 3).getByLabel('인쇄되는 가치').fill('$500')
  await prizeOf(form, 3).getByLabel('종류').selectOption('token')
  await pressSave(form)
  await form.getByText('금액을 USDT로 입력하세요').waitFor()
  expect(await prizeOf(form, 3).getByLabel('금액').getAttribute('aria-invalid')).toBe('true')
  await prizeOf(form, 3).getByLabel('금액').fill('500')

  await prizeOf(form, 2)
    .getByLabel('사진 파일')
    .setInputFiles([
      { name: 'front.png', mimeType: 'image/png', buffer: png },
      { name: 'back.png', mimeType: 'image/png', buffer: png },
      { name: 'film.gif', mimeType: 'image/gif', buffer: png },
    ])
  const second = prizeOf(form, 2).getByRole('group', { name: '사진 2' })
  await second.waitFor()
  await prizeOf(form, 2).getByText('JPG 또는 PNG 이미지만').waitFor()
  await both(
    prizeOf(form, 2).getByRole('group', { name: '사진 1' }),
    '대체 텍스트',
    'From the front',
    '앞에서',
  )
  await both(second, '대체 텍스트', 'From behind', '뒤에서')
  await second.getByRole('button', { name: '사진 2 위로' }).press('Enter')
  await soon(() => preview.locator('.prize-pictures img').first().getAttribute('alt')).toBe('뒤에서')
  // The phone becomes the first prize by keyboard alone, and its picture is on the ticket.
  await prizeOf(form, 2).getByRole('button', { name: '경품 2 위로' }).press('Enter')
  await soon(() => preview.locator('[data-slot="hero-picture"] img').getAttribute('alt')).toBe('뒤에서')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    '경품 1 아래로',
  )

  const region = page.getByRole('region', { name: '미리보기' })
  await region.getByRole('button', { name: 'English' }).click()
  await soon(() => titleOf(preview)).toContain('Two miners')
  await region.getByRole('button', { name: '데스크톱' }).click()
  expect(await preview.locator('body').evaluate(() => innerWidth)).toBe(1_440)
  for (const [view, place] of [
    ['이벤트 페이지', '[data-slot="hero-title"]'],
    ['공유 그림', '[data-slot="card"] svg'],
  ] as const) {
    await region.getByRole('button', { name: view }).click()
    await soon(() => preview.locator(place).textContent()).toContain('Two miners')
  }

  await pressSave(form)
  await toastText(page, '초안을 저장했습니다')
  await page
    .getByText('4명 · 물건 · 물건 · 물건 · 500 USDT')
    .or(page.locator('input[value*="500 USDT"]'))
    .first()
    .waitFor()
  const { draft } = await ask('GET', nextContent)
  expect(draft.prizes.map((prize: typeof draft) => [prize.name.en, prize.copies, prize.amount])).toEqual([
    ...[
      ['Phone', 1, null],
      ['Home miner', 2, null],
      ['Money', 1, 50_000],
    ],
  ])
  expect(draft.prizes[0].pictures).toMatchObject([
    { alt: { en: 'From behind' }, width: 1, height: 1, sha256: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    { alt: { en: 'From the front' } },
  ])
})

test('what is typed outlives the page, and a second administrator who saves meanwhile is seen, kept or taken over', async () => {
  await client.login()
  const { page, form } = await atEditor()
  await both(form, '소개', 'Mine, {price} a ticket.', '내 소개, {price} USDT.')
  await form.getByText('저장하지 않은 변경이 있습니다.').waitFor()
  await soon(() => page.evaluate(() => localStorage.getItem('blockdraw:admin-content-next') ?? '')).toContain(
    'Mine',
  )
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await soon(() => form.getByLabel('소개 · English').inputValue()).toBe('Mine, {price} a ticket.')

  const other = async (value: string) => {
    const { draft, next, version } = await ask('GET', nextContent)
    const content = { ...(draft ?? next), summary: { en: value, ko: value } }
    await ask('PUT', nextContent, { content, version })
  }
  await other('Theirs')
  await pressSave(form)
  const conflict = page.getByRole('alert').filter({ hasText: '다른 관리자가 방금' })
  await conflict.getByText('Theirs').first().waitFor()
  expect(await conflict.innerText()).toContain(admin.username)
  await conflict.getByRole('button', { name: '새 값 사용' }).click()
  await soon(() => form.getByLabel('검색과 공유 요약 · English').inputValue()).toBe('Theirs')
  await pressSave(form)
  await toastText(page, '초안을 저장했습니다')
  expect((await ask('GET', nextContent)).draft).toMatchObject({
    lead: { en: 'Mine, {price} a ticket.' },
    summary: { en: 'Theirs' },
  })

  await both(form, '검색과 공유 요약', 'Mine again', '다시 내 것')
  await other('Theirs again')
  await pressSave(form)
  await conflict.getByRole('button', { name: '내 입력 유지' }).click()
  await pressSave(form)
  await soon(async () => (await ask('GET', nextContent)).draft.summary.en).toBe('Mine again')
  await soon(() => page.evaluate(() => localStorage.getItem('blockdraw:admin-content-next'))).toBeNull()
})

test('markup stays text in every field and in the preview, and what turns texts around is refused', async () => {
  await client.login()
  const { page, form, preview } = await atEditor()
  const attack = '<img src=x onerror="window.ran=1">'
  await form.getByRole('button', { name: '링크 추가' }).click()
  await form.getByRole('button', { name: '정보 추가' }).first().click()
  for (const field of await form.locator('input[data-path], textarea[data-path]').all())
    await field.fill(attack)
  await soon(() => titleOf(preview)).toContain(attack)
  await soon(() => preview.locator('[data-slot="prize-list"]').innerText()).toContain(attack)
  const ran = () =>
    preview
      .locator('body')
      .evaluate(() => [(window as { ran?: 1 }).ran, document.querySelectorAll('[onerror]').length])
  expect(await ran()).toEqual([undefined, 0])
  expect(await page.evaluate(() => (window as { ran?: 1 }).ran)).toBeUndefined()

  const title = form.getByLabel('제목 · English')
  await title.fill('a\u202eb')
  await form.getByText('글의 방향을 바꾸는 문자').first().waitFor()
  await soon(() => titleOf(preview)).not.toContain('\u202e')
  const link = form.getByLabel('주소').last()
  await link.fill('javascript:window.ran=1')
  await soon(() => preview.locator('[data-slot="prize-links"] a').last().getAttribute('href')).toBe('#')
  await title.fill('x'.repeat(3_000))
  await soon(() => form.getByText('한 줄 40자').count()).toBeGreaterThan(0)
  expect(await preview.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
  await pressSave(form)
  expect(await form.locator('[aria-invalid="true"]').count()).toBeGreaterThan(0)
  await form.getByRole('button', { name: '되돌리기' }).click()
})

test('the preview hears the page that holds it alone, asks nobody, and may be held by our own pages alone', async () => {
  const { page } = await story.visit({ path: '/', withWallet: false })
  const headers = async (path: string) => {
    const { headers: found } = await fetch(story.stack.url + path)
    return [found.get('x-frame-options'), found.get('content-security-policy')]
  }
  expect(await headers('/preview/')).toEqual(['SAMEORIGIN', "frame-ancestors 'self'"])
  expect(await headers('/preview/ko/')).toEqual(['SAMEORIGIN', "frame-ancestors 'self'"])
  for (const path of ['/', '/admin', '/admin/', '/ko/', '/previews', '/preview/nothing.html'])
    expect([path, await headers(path)]).toEqual([path, ['DENY', "frame-ancestors 'none'"]])

  // Opened by itself it shows nothing, whoever speaks to it.
  await page.goto(`${story.stack.url}/preview/`)
  const message = { type: 'blockdraw:preview', language: 'en', theme: null }
  const told = { eventNumber: 2, content: firstEventContent, corrections: [], ticketPrice: 300 }
  await page.evaluate(
    (text) => window.postMessage(JSON.parse(text), location.origin),
    JSON.stringify({ ...message, told }),
  )
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  expect(await page.evaluate(() => document.documentElement.dataset.shown)).toBeUndefined()
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
})

test('the sale as a picture says what the ledger says, to visitors and to administrators', async () => {
  await client.login()
  const buyers = await Promise.all([1, 2].map(story.account))
  for (const [index, buyer] of buyers.entries()) await payByHand(story.stack.chain.url, buyer, 6 + 33 * index)
  await soon(async () => (await ask('GET', '/api/raffle/stats')).ticketsSold).toBe(15)
  const { page } = await story.visit({ path: '/#buy', withWallet: false })
  await page.locator('[data-sales]').scrollIntoViewIfNeeded()
  const sales = page.locator('[data-sales="known"]')
  await soon(() => sales.getByRole('paragraph').first().innerText()).toContain(
    '15 tickets sold. 85 more reach the minimum of 100.',
  )
  await sales.getByText('The same as a table').click()
  const sold = await sales.locator('tbody td:nth-child(2)').allInnerTexts()
  expect(sold.reduce((sum, text) => sum + Number(text), 0)).toBe(15)
  expect(await sales.locator('tbody td:nth-child(3)').first().innerText()).toBe('15')

  await page.goto(`${story.stack.url}/admin-login`)
  await fillLogin(page)
  await arrive(page)
  await openTab(page, '데이터 관리')
  const row = (table: string, name: string) =>
    page
      .getByRole('table', { name: table })
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .innerText()
  await soon(() => row('지갑별 보유 티켓', '2-5장')).toMatch(/1\s+2\s+13%/)
  expect(await row('지갑별 보유 티켓', '6-20장')).toMatch(/1\s+13\s+87%/)
  expect(await row('받은 돈의 상태', '티켓으로 인정')).toMatch(/45\s+100%/)

  // Content is locked by the first ticket: from now on there are corrections.
  await openTab(page, '다음 이벤트')
  await correct(page)
  expect((await ask('GET', '/api/raffle/content/1')).corrections).toMatchObject([
    { text: { en: 'It is grey.' } },
  ])
})

async function correct(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: '정정 덧붙이기' })
  await form.getByRole('button', { name: '정정 공개' }).click()
  expect(await form.locator('[aria-invalid="true"]').count()).toBe(2)
  await both(form, '정정', 'It is grey.', '회색입니다.')
  await form.getByRole('button', { name: '정정 공개' }).click()
  await page.getByRole('dialog').getByText('고치거나 지울 수 없습니다').waitFor()
  await agree(page, '공개')
  await toastText(page, '정정을 공개했습니다')
  await page.getByText('회색입니다.').waitFor()
}
