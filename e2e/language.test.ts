import { expect, test } from 'vitest'
import { openStory, soon } from './lab/story.ts'

const story = openStory()

test('the page is English until a visitor chooses Korean, and the choice lasts', async () => {
  const visitor = await story.visit({ withWallet: false, path: '/?event=3#recent' })
  const { page } = visitor
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await page.getByRole('link', { name: '한국어' }).click()
  await page.getByRole('heading', { name: '최근 구매한 티켓' }).waitFor()
  expect([page.url(), await page.locator('html').getAttribute('lang')]).toEqual([
    `${story.stack.url}/ko/?event=3#recent`,
    'ko',
  ])
  await page.getByText('아직 구매된 티켓이 없습니다.').waitFor()

  const later = await story.reopen(visitor, '/#winner')
  await later.getByRole('heading', { name: '당첨자 발표' }).waitFor()
  expect(later.url()).toBe(`${story.stack.url}/ko/#winner`)
  await later.getByRole('link', { name: 'English' }).click()
  await later.getByRole('heading', { name: 'Winner Announcement' }).waitFor()
  expect(later.url()).toBe(`${story.stack.url}/#winner`)
  expect((await story.reopen(visitor)).url()).toBe(`${story.stack.url}/`)
})

test('the switch is in the menu on a narrow screen', async () => {
  const { page } = await story.visit({ withWallet: false, width: 390 })
  expect(await page.getByRole('link', { name: '한국어' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: '한국어' }).click()
  await page.waitForURL('**/ko/')
  await page.getByRole('button', { name: '메뉴' }).click()
  await page.getByRole('navigation').getByRole('button', { name: '티켓 구매' }).click()
  await page.getByRole('heading', { level: 1, name: '티켓 구매' }).waitFor()
})

test('the Korean page is readable without JavaScript', async () => {
  const { page } = await story.visit({ withWallet: false, javaScript: false, path: '/ko/' })
  const text = await page.locator('main').innerText()
  for (const words of ['채굴기 한 대,', '4,100,000원', '약 385코인', '2025년 10월', '지갑당 구매 제한 없음'])
    expect(text).toContain(words)
  expect(text).not.toContain('{')
})

test('messages about the wallet and from the server are Korean there too', async () => {
  const { page } = await story.visit({ path: '/ko/' })
  await page.locator('header').getByRole('button', { name: '지갑 연결' }).click()
  const dialog = page.getByRole('dialog', { name: '지갑 연결' })
  await dialog.getByRole('button', { name: 'MetaMask 연결' }).click()
  await page.locator('#toasts li', { hasText: '지갑 연결 완료' }).waitFor()
  await page.locator('nav').getByRole('button', { name: '최근 구매' }).click()
  await page.getByLabel('거래 해시').fill(`0x${'ab'.repeat(32)}`)
  await page.getByRole('button', { name: '조회', exact: true }).click()
  await soon(() => page.locator('[data-answer] .badge').innerText()).toMatch(/^(접수됨|찾을 수 없음)$/)
})
