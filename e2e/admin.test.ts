import { sql } from 'drizzle-orm'
import excel from 'exceljs'
import type { Page } from 'playwright-core'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { runAdmin } from '../infra/cli/admin.ts'
import {
  admin,
  agree,
  arrive,
  authenticator,
  fieldDate,
  fillLogin,
  openTab,
  panel,
  png,
  refusals,
} from './lab/admin-verbs.ts'
import { payByHand } from './lab/pay.ts'
import { openStory, soon } from './lab/story.ts'
import { toastText } from './lab/verbs.ts'

const newPassword = 'a longer horse 17'
const story = openStory({
  env: {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SALE_LEAD_SECONDS: '10',
    AUTO_DRAW: 'false',
  },
})
const visit = (path: string, more = {}) => story.visit({ path, allow: refusals, withWallet: false, ...more })
const known = (path: string) => fetch(`${story.stack.url}/api${path}`).then((answer) => answer.json())

test('the dashboard redirects to the login without a token and with an unknown one', async () => {
  const { page } = await visit('/admin')
  await page.waitForURL('**/admin-login')
  await page.getByText('인증 토큰이 없습니다').waitFor()
  await page.evaluate(() => localStorage.setItem('adminToken', 'nonsense'))
  await page.goto(`${story.stack.url}/admin`)
  await page.waitForURL('**/admin-login')
  await page.getByText('인증이 만료되었습니다').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
})

test('an address outside the list sees only the blocked page', async () => {
  await story.stack.db.execute(sql`update settings set allowed_ips = '{203.0.113.9}'`)
  const { page } = await visit('/admin-login', { allow: [...refusals, /check-access/] })
  await page.getByRole('heading', { name: '접근 차단' }).waitFor()
  expect(await page.getByRole('alert').innerText()).toMatch(/^접근이 차단되었습니다\. 현재 IP: \S+$/)
  expect(await page.getByLabel('비밀번호').count()).toBe(0)
  await story.stack.db.execute(sql`update settings set allowed_ips = '{}'`)
  await page.getByRole('button', { name: '다시 확인' }).click()
  await page.getByLabel('비밀번호').waitFor()
  await page.route('**/api/admin/check-access', (route) => route.abort(), { times: 1 })
  await page.reload()
  await page.getByText('접근 확인 중 오류가 발생했습니다.').waitFor()
  expect(await page.getByRole('button', { name: '로그인' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: '다시 시도' }).click()
  await page.getByText('접근이 허용된 IP').waitFor()
})

test('the login reports missing fields, wrong ones, and success', async () => {
  const { page } = await visit('/admin-login')
  await page.getByText('접근이 허용된 IP').waitFor()
  await page.getByRole('button', { name: '로그인' }).click()
  await page.getByText('사용자명을 입력하세요').waitFor()
  const password = page.getByLabel('비밀번호')
  expect(await password.getAttribute('aria-invalid')).toBe('true')
  const help = page.locator(`#${await password.getAttribute('aria-describedby')}`)
  expect(await help.innerText()).toBe('비밀번호를 입력하세요')
  await password.fill('x')
  await soon(() => help.innerText()).toBe('')
  await fillLogin(page, 'wrong-password')
  await page.getByText('사용자명 또는 비밀번호가 올바르지 않습니다.').waitFor()
  const letGo = await hold(page, '**/api/admin/login')
  await fillLogin(page)
  expect(await page.getByRole('button', { name: '로그인 중...' }).isDisabled()).toBe(true)
  letGo()
  await page.getByRole('heading', { name: '로그인 성공' }).waitFor()
  const began = performance.now()
  await page.getByText('어드민 대시보드로 이동 중...').waitFor()
  await arrive(page)
  expect(performance.now() - began).toBeGreaterThan(1_200)
  await endedMeanwhile(page)
})

test('A4: an administrator whom the server sees as a proxy is warned', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  const asProxy = { allowed: true, ip: '172.18.0.1' }
  await page.route('**/api/admin/check-access', (route) => route.fulfill({ json: asProxy }))
  await arrive(page)
  await page.getByText('내부 주소 172.18.0.1').waitFor()
})

/** Holds requests to `url` until they are released. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** A session ended elsewhere leads back to the login and removes the token. */
async function endedMeanwhile(page: Page): Promise<void> {
  await openTab(page, '다음 이벤트')
  await page.getByLabel('상품 가치').fill('$9')
  await story.stack.db.execute(sql`update sessions set revoked_at = now()`)
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  await page.waitForURL('**/admin-login')
  await page.getByText('인증이 만료되었습니다').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
}

test('arrow keys move between tabs, and a phone collapses them into one button', async () => {
  const { page } = await visit('/admin-login', { width: 390 })
  await fillLogin(page)
  await arrive(page)
  const button = page.getByRole('button', { name: /^기본 설정/ })
  await button.click()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await page.getByRole('tab', { name: '기본 설정' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { level: 1, name: '블록체인 관리' }).waitFor()
  expect(page.url()).toContain('#blockchain')
  for (let tab = 0; tab < 9; tab++) {
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([await panel(page).getAttribute('aria-labelledby'), width]).toEqual([expect.any(String), 390])
    await page.keyboard.press('ArrowDown')
  }
})

test('a printed password leads to a new one, and each login without a second factor asks for one', async () => {
  const told = await runAdmin(story.stack.db, ['create', 'second'])
  const printed = /password (\S+)$/.exec(told)?.[1] ?? ''
  const { page } = await visit('/admin-login', { width: 390 })
  await fillLogin(page, printed, 'second')
  await arrive(page)
  await page.getByRole('heading', { name: '새 비밀번호 설정' }).waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
  await page.reload()
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  const press = () => page.getByRole('button', { name: '비밀번호 변경' }).click()
  await fill('일회용 비밀번호', printed)
  await fill('새 비밀번호', printed)
  await fill('새 비밀번호 확인', printed)
  await press()
  await page.getByText('일회용 비밀번호와 다른 비밀번호를 입력해주세요').waitFor()
  await fill('새 비밀번호', 'password1')
  await fill('새 비밀번호 확인', 'password1')
  await press()
  await page.locator('form').getByText('너무 흔한 비밀번호입니다').waitFor()
  // Whoever leaves the form open for a while is asked for the printed one once more.
  await story.stack.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  await fill('새 비밀번호', newPassword)
  await fill('새 비밀번호 확인', newPassword)
  await press()
  const dialog = page.getByRole('dialog', { name: '본인 확인' })
  await dialog.getByLabel('비밀번호').fill(printed)
  await dialog.getByRole('button', { name: '확인' }).click()
  await toastText(page, '비밀번호를 바꿨습니다')
  await page.getByText('2단계 인증(OTP)이 없습니다.').waitFor()
  await page.getByRole('button', { name: '나중에' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '기본 설정' }).waitFor()
  expect(await page.getByText('2단계 인증(OTP)이 없습니다.').count()).toBe(0)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await fillLogin(page, newPassword, 'second')
  await arrive(page)
  await page.getByRole('button', { name: '지금 설정' }).click()
  await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
  expect(await page.getByText('2단계 인증(OTP)이 없습니다.').count()).toBe(0)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await page.waitForURL('**/admin-login')
})

test('an operator’s week, from the first login to the last logout', async () => {
  const operator = 0
  const { page } = await visit('/admin-login', { withWallet: true, account: operator })
  await fillLogin(page)
  await arrive(page)

  const nextCode = await enrol(page)
  await setEvent(page)
  await addRefundWallet(page)
  await tellPrize(page)
  await watchSales(page)
  await guardAddresses(page)
  await anchorAndDraw(page, nextCode)
  await openNextEvent(page)
  await changePassword(page)
  await leaveAndReturn(page, nextCode)
}, 120_000)

async function enrol(page: Page): Promise<() => Promise<string>> {
  await openTab(page, '시스템 설정')
  await page.getByRole('button', { name: 'OTP 설정' }).click()
  const secret = await page.locator('[data-secret]').getAttribute('data-secret')
  expect(await page.getByAltText(/QR/).getAttribute('src')).toMatch(/^data:image\/svg/)
  const nextCode = authenticator(secret ?? '')
  await page.getByLabel('인증 코드', { exact: true }).fill('12345')
  await page.getByRole('button', { name: '코드 확인' }).click()
  await page.getByText('6자리 인증 코드를 입력하세요.').waitFor()
  await page.getByLabel('인증 코드', { exact: true }).fill(await nextCode())
  await page.getByRole('button', { name: '코드 확인' }).click()
  const codes = page.getByRole('list', { name: '복구 코드 목록' })
  await codes.waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await page.getByRole('button', { name: '적어 두었습니다' }).click()
  await page.getByRole('switch').click()
  await agree(page, '켜기')
  await toastText(page, '2단계 인증을 켰습니다')
  expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  return nextCode
}

async function setEvent(page: Page): Promise<void> {
  await openTab(page, '기본 설정')
  await mistypeWallet(page)
  await page.getByRole('button', { name: '지갑으로 서명' }).click()
  await toastText(page, '지갑을 확인했습니다')
  await page.getByLabel('Google Form URL').fill('http://forms.gle')
  await page.getByText('https:// 로 시작하는 주소를 입력하세요.').waitFor()
  await page.getByRole('button', { name: '설정 저장' }).click()
  await soon(() => focusedLabel(page)).toBe('Google Form URL')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('Google Form URL').fill('https://forms.gle/prize')
  await page.getByLabel('최소 참여 인원').fill('11')
  await page.getByLabel('당첨자 수').fill('2')
  await page.getByRole('radio', { name: /drand/ }).check()
  await page.getByText('저장하지 않은 변경 4개').waitFor()
  // Typed values are kept while another tab is open.
  await openTab(page, '추첨 기록')
  await openTab(page, '기본 설정')
  expect(await page.getByLabel('최소 참여 인원').inputValue()).toBe('11')
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ minTicketsForDraw: 11, entropy: 'blocks+drand', winners: 2 },
    googleFormUrl: 'https://forms.gle/prize',
  })
  await page.getByRole('button', { name: '변경 취소' }).click()
  await toastText(page, '변경을 취소했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ minTicketsForDraw: 100, googleFormUrl: null, entropy: 'blocks', winners: 1 },
  })
  await meetAnotherAdministrator(page)
}

/** Typing its last characters confirms a wallet; a wrong one can be undone at once. */
async function mistypeWallet(page: Page): Promise<void> {
  const field = page.getByLabel('지갑 주소', { exact: true })
  const own = await field.inputValue()
  await field.fill('0x70997970C51812dc3A010C7d01b50e0d17dc79c8')
  await page.getByText('체크섬이 맞지 않는 주소입니다.').waitFor()
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await field.fill(other)
  await page.getByRole('button', { name: '설정 저장' }).click()
  const dialog = page.getByRole('dialog', { name: '운영자 지갑 변경' })
  expect((await dialog.getByTitle(other).innerText()).replaceAll(/\s/g, '')).toBe(other)
  await dialog.getByRole('textbox').fill('0000')
  expect(await dialog.getByRole('button', { name: '지갑 변경' }).isDisabled()).toBe(true)
  await agree(page, '지갑 변경', '79C8')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ operatorWallet: other })
  await page.getByText('아직 서명으로 확인되지 않은 지갑입니다.').waitFor()
  await page.getByRole('button', { name: '변경 취소' }).click()
  await toastText(page, '변경을 취소했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ operatorWallet: own })
  await soon(() => field.inputValue()).toBe(own)
}

/** Another administrator saves a field that is being edited here: that change is shown, not lost. */
async function meetAnotherAdministrator(page: Page): Promise<void> {
  await soon(() => page.getByLabel('최소 참여 인원').inputValue()).toBe('100')
  await page.getByLabel('최소 참여 인원').fill('11')
  const token = await page.evaluate(() => localStorage.getItem('adminToken'))
  const theirs = await fetch(`${story.stack.url}/api/admin/raffle/config`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ minTicketsForDraw: 50 }),
  })
  expect(theirs.status).toBe(200)
  const note = page.getByRole('alert').filter({ hasText: '다른 관리자가 방금 설정을 바꿨습니다.' })
  await note.waitFor()
  expect(await note.getByRole('listitem').innerText()).toMatch(/최소 참여 인원\s+100\s+→\s+50/)
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  expect(await toastText(page, '설정 업데이트에 실패했습니다')).toContain('다른 관리자가 먼저')
  await soon(() => known('/raffle/config')).toMatchObject({ minTicketsForDraw: 50 })
  await note.getByRole('button', { name: '내 입력 유지' }).click()
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ minTicketsForDraw: 11 })
}

/** Label of the field that has the focus. */
const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.innerText ?? '')

/** Its text is signed elsewhere; a signature of another key registers nothing. */
async function addRefundWallet(page: Page): Promise<void> {
  await openTab(page, '환불')
  const [wallet, other] = ['61', '62'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`)) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
  ]
  await page.getByLabel('환불 지갑 주소', { exact: true }).fill(wallet.address)
  const card = page.getByRole('region', { name: '환불 지갑 추가' })
  await card.getByRole('button', { name: '다른 곳에서 서명' }).click()
  const message = await card.getByText('which will pay refunds').innerText()
  const send = async (signature: string) => {
    await card.getByLabel('서명', { exact: true }).fill(signature)
    await card.getByRole('button', { name: '서명 확인' }).click()
  }
  await send(await other.signMessage({ message }))
  expect(await toastText(page, '지갑 서명을 확인하지 못했습니다')).toContain('이 지갑의 서명이 아닙니다')
  await send(await wallet.signMessage({ message }))
  expect(await toastText(page, '환불 지갑을 추가했습니다')).toContain('이제 이 지갑에서')
  await soon(async () => JSON.stringify(await known('/raffle/changes'))).toContain(wallet.address)
}

async function tellPrize(page: Page): Promise<void> {
  await openTab(page, '다음 이벤트')
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  expect(await toastText(page, '이벤트 설정 업데이트에 실패했습니다')).toBe('최소 하나의 설정을 변경해주세요')
  const file = page.getByLabel('상품 이미지')
  await file.setInputFiles({ name: 'prize.gif', mimeType: 'image/gif', buffer: png })
  await page.getByText('JPG 또는 PNG 이미지만 올릴 수 있습니다.').waitFor()
  await file.setInputFiles({ name: 'prize.png', mimeType: 'image/png', buffer: png })
  await page.getByAltText('상품 미리보기').waitFor()
  await page.getByLabel('상품 가치').fill('$3,000')
  await page.getByLabel('상품 설명').fill('두 번째 채굴기')
  await page.getByLabel('이벤트 시작 (UTC)', { exact: true }).fill('2030-01-02 03:04')
  await page.getByText('한국 시각 2030년 1월 2일 12:04').waitFor()
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  await toastText(page, '이벤트 설정을 저장했습니다')
  await soon(() => known('/event/settings')).toMatchObject({
    prizeValue: '$3,000',
    prizeDescription: '두 번째 채굴기',
    eventStartDate: '2030-01-02T03:04:00.000Z',
    isActive: true,
  })
  const settings = await known('/event/settings')
  expect((await fetch(settings.prizeImageUrl)).headers.get('content-type')).toBe('image/png')
}

async function watchSales(page: Page): Promise<void> {
  await openTab(page, '블록체인 관리')
  await page.getByRole('button', { name: '거래 처리' }).click()
  await page.getByText('거래 해시를 입력해주세요').waitFor()
  const hash = await payByHand(story.stack.chain.url, await story.account(1), 33)
  await page.getByLabel('거래 해시').fill(`  ${hash} `)
  await page.getByRole('button', { name: '거래 처리' }).click()
  expect(await toastText(page, '거래를 처리했습니다')).toBe('티켓 11장이 발급되었습니다.')
  const summary = page.locator('dl[aria-label="요약"]')
  await soon(() => summary.innerText()).toMatch(/판매된 티켓\s+11\s[\s\S]*총 수익 \(USDT\)\s+33\s/)
  await page.getByLabel('거래 해시').fill(hash)
  await page.getByRole('button', { name: '거래 처리' }).click()
  expect(await toastText(page, '거래 처리에 실패했습니다')).toContain('이미 처리된 거래입니다')
  const pipeline = page.getByRole('region', { name: '처리 상태' })
  expect(await pipeline.innerText()).toMatch(
    /스캔한 블록\s+[\d,]+\s[\s\S]*스캔 지연\s+\d+초[\s\S]*작업 대기열\s+\d+건/,
  )
  await pipeline.getByRole('row').getByText('정상', { exact: true }).waitFor()
  await payByHand(story.stack.chain.url, await story.account(2), 1)
  await panel(page).getByText('금액 부족', { exact: true }).first().waitFor()

  await openTab(page, '데이터 관리')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '티켓 목록 엑셀 받기' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('tickets-event-1-티켓목록.xlsx')
  const book = new excel.Workbook()
  await book.xlsx.readFile(await download.path())
  const sheet = book.worksheets[0]
  expect(sheet?.rowCount).toBe(2)
  expect([1, 2, 3].map((cell) => sheet?.getRow(2).getCell(cell).value)).toEqual([1, hash, 33])

  await openTab(page, '기본 설정')
  await page.getByText('지갑, 티켓 가격, 추첨 방식은 잠겼습니다.').waitFor()
}

async function guardAddresses(page: Page): Promise<void> {
  await openTab(page, '시스템 설정')
  const add = page.getByRole('button', { name: '추가', exact: true })
  await add.click()
  await page.getByText('IP 주소를 입력해주세요').waitFor()
  await page.getByLabel('IP 추가', { exact: true }).fill('203.0.113.9')
  await add.click()
  await page.getByText('저장하면 접속이 차단됩니다').waitFor()
  await page.getByRole('button', { name: '현재 IP 추가' }).click()
  await agree(page, '제한 시작')
  await toastText(page, 'IP 목록을 저장했습니다')
  await page.getByLabel('IP 추가', { exact: true }).fill('203.0.113.9')
  await add.click()
  const list = page.getByRole('list', { name: '허용된 IP' })
  await list.getByText('203.0.113.9').waitFor()
  await endStranger(page)
  // One's own address cannot be removed from the list while another one is on it.
  await list.getByRole('listitem').filter({ hasText: '현재 IP' }).getByRole('button').click()
  await page.getByText('저장하면 접속이 차단됩니다').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
}

/** A login by another person shows in the list and is ended there; ours continues. */
async function endStranger(page: Page): Promise<void> {
  await story.stack.db.execute(
    sql`insert into sessions (token_hash, admin_id, client_address) select 'a stranger', id, '198.51.100.7' from admins where username = ${admin.username}`,
  )
  await openTab(page, '계정 관리')
  await openTab(page, '시스템 설정')
  const end = page.getByRole('button', { name: '198.51.100.7 세션 종료' })
  await end.click()
  await agree(page, '종료')
  await toastText(page, '세션을 종료했습니다')
  await end.waitFor({ state: 'detached' })
  const audit = page.getByRole('table', { name: '감사 기록' })
  await page.getByRole('button', { name: '새로 읽기' }).click()
  const row = audit.getByRole('row').filter({ hasText: '세션 종료' }).first()
  await row.getByText('보기').click()
  await row.getByText('198.51.100.7').waitFor()
}

async function anchorAndDraw(page: Page, nextCode: () => Promise<string>): Promise<void> {
  await openTab(page, '기본 설정')
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill(fieldDate(Date.now() + 1_000))
  await page.getByText('판매 종료 시각이 이미 지났습니다').waitFor()
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill(fieldDate(Date.now() + 17_000))
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')

  await openTab(page, '블록체인 추첨')
  const draw = page.getByRole('button', { name: '추첨 시작' })
  expect(await draw.isDisabled()).toBe(true)
  await page.getByRole('button', { name: '지갑으로 지문 고정' }).click({ timeout: 25_000 })
  await toastText(page, '명단 지문을 고정했습니다')
  await page.getByText('고정됨', { exact: true }).waitFor()

  // The password was entered some minutes ago: the call waits for a fresh one and then continues by itself.
  await story.stack.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  await page
    .getByRole('region', { name: '위험 구역' })
    .locator('button:not([disabled])', { hasText: '추첨 시작' })
    .click({ timeout: 30_000 })
  await agree(page, '추첨 시작', '1')
  const again = page.getByRole('dialog', { name: '본인 확인' })
  await again.getByLabel('비밀번호').fill(admin.password)
  await again.getByRole('button', { name: '확인' }).click()
  await again.getByLabel('2차 인증 코드').fill(await nextCode())
  await again.getByRole('button', { name: '확인' }).click()
  expect(await toastText(page, '완료했습니다')).toBe('추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.')
  await page.getByRole('region', { name: '이벤트 1 당첨자' }).waitFor({ timeout: 20_000 })

  await page.getByRole('button', { name: '발표 지우기' }).click()
  await agree(page, '발표 지우기', '1')
  await page.locator('[data-toast-text]', { hasText: '당첨자 발표를 지웠습니다.' }).waitFor()
  await soon(() => known('/raffle/winner')).toBeNull()
}

async function openNextEvent(page: Page): Promise<void> {
  await openTab(page, '기본 설정')
  await page.getByText('이벤트 1의 진행이 끝났습니다.').waitFor()
  await draftTerms(page)
  await page.getByRole('button', { name: '이벤트 2 시작' }).click()
  await agree(page, '보관하고 시작')
  expect(await toastText(page, '다음 이벤트를 시작했습니다')).toContain('이벤트 #2')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ eventNumber: 2, minTicketsForDraw: 250, entropy: 'blocks+drand', winners: 3 },
  })
  await page.getByText('이벤트 2 진행 중').waitFor()
  await openTab(page, '추첨 기록')
  await panel(page).getByRole('heading', { name: '이벤트 1' }).waitFor()
}

/** What the next event promises is saved as a draft, shown beside what the open one promises, and opened with. */
async function draftTerms(page: Page): Promise<void> {
  await openTab(page, '다음 이벤트')
  const card = page.getByRole('region', { name: '다음 이벤트 조건' })
  await card.getByLabel('최소 참여 인원').fill('0')
  await card.getByText('1에서 10,000,000 사이의 정수를 입력하세요.').waitFor()
  await card.getByLabel('최소 참여 인원').fill('250')
  await card.getByLabel('추첨 일시 (UTC)', { exact: true }).fill('2035-01-01 12:00')
  await card.getByLabel('당첨자 수').fill('3')
  await card.getByRole('radio', { name: /drand.*권장/ }).check()
  await card.getByText('저장하지 않은 변경 4개').waitFor()
  await card.getByRole('button', { name: '초안 저장' }).click()
  await toastText(page, '초안을 저장했습니다')
  await card.getByText('초안이 저장되어 있습니다.').waitFor()
  const promised = await card.locator('dl').first().innerText()
  for (const term of ['2035-01-01 12:00 UTC', '250장', '3명', '블록 해시와 drand'])
    expect(promised).toContain(term)
}

async function changePassword(page: Page): Promise<void> {
  await openTab(page, '계정 관리')
  const save = page.getByRole('button', { name: '정보 변경' })
  await save.click()
  await page.getByText('현재 비밀번호를 입력해주세요').waitFor()
  await page.getByLabel('현재 비밀번호').fill(admin.password)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(newPassword)
  await page.getByLabel('새 비밀번호 확인').fill('something else')
  await page.getByText('새 비밀번호가 일치하지 않습니다').waitFor()
  await page.getByLabel('새 비밀번호 확인').fill(newPassword)
  await save.click()
  await toastText(page, '관리자 정보를 변경했습니다')
  await openTab(page, '시스템 설정')
  await panel(page).getByRole('cell', { name: '계정 변경' }).first().waitFor()
}

async function leaveAndReturn(page: Page, nextCode: () => Promise<string>): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('adminToken'))
  await page.getByRole('button', { name: '로그아웃' }).click()
  await page.waitForURL('**/admin-login')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${story.stack.url}/api/admin/me`, { headers })).status).toBe(401)
  await fillLogin(page, newPassword)
  await page.getByText('2차 인증 코드를 입력하세요.').waitFor()
  await page.getByLabel('2차 인증 코드').fill('000000')
  await page.getByRole('button', { name: '로그인' }).click()
  await page.getByText('잘못된 인증 코드입니다. 다시 시도하세요.').waitFor()
  await page.getByLabel('2차 인증 코드').fill(await nextCode())
  await page.getByRole('button', { name: '로그인' }).click()
  await arrive(page)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await page.waitForURL('**/admin-login')
}
