import type { Locator, Page } from 'playwright-core'
import { agree, authenticator, fillLogin, png } from '../../lab/admin-verbs.ts'
import type { Stage } from './admin-stage.ts'

export type Visit = {
  page: Page
  url: string
  /** A picture of the whole page, or of the visible part. */
  shot: (name: string, fullPage?: boolean) => Promise<void>
  open: (tab: string) => Promise<void>
}

/** Empty, wrong, server not reachable, and logged in. */
export async function loginSteps({ page, url, shot }: Visit): Promise<void> {
  await page.getByText('접근이 허용된 IP').waitFor()
  await shot('login')
  await page.getByRole('button', { name: '로그인' }).click()
  await shot('login-empty')
  await fillLogin(page, 'not the password')
  await page.getByText('사용자명 또는 비밀번호가 올바르지 않습니다.').waitFor()
  await shot('login-wrong')
  await fillLogin(page)
  await page.getByRole('heading', { name: '로그인 성공' }).waitFor()
  await shot('login-done')
  await page.route('**/api/admin/check-access', (route) => route.abort())
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${url}/admin-login`)
  await page.getByText('접근 확인 중 오류가 발생했습니다.').waitFor()
  await shot('login-unreachable')
}

export async function codeStep({ page, shot }: Visit): Promise<void> {
  await fillLogin(page)
  await page.getByText('2차 인증 코드를 입력하세요.').waitFor()
  await shot('login-code')
  await page.getByRole('button', { name: '복구 코드 사용' }).click()
  await shot('login-recovery')
}

/** Fields with unsaved or wrong values. */
export async function drafts({ page, shot, open }: Visit): Promise<void> {
  await open('config')
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill('2030-01-02 03:04')
  await page.getByLabel('Google Form URL').fill('http://forms.gle')
  await page.getByLabel('최소 참여 인원').fill('0')
  await shot('config-wrong')
  await shot('config-wrong-window', false)
  await open('blockchain')
  await page.getByLabel('거래 해시').fill('0x12')
  await page.getByRole('button', { name: '거래 처리' }).click()
  await page.locator('#toasts li').waitFor()
  await shot('blockchain-wrong')
  await open('account')
  await page.getByLabel('새 비밀번호', { exact: true }).fill('short')
  await page.getByLabel('새 비밀번호 확인').fill('other')
  await page.locator('[data-save-bar] button[type=submit]').click()
  await shot('account-wrong')
  await open('event')
  await page
    .getByLabel('상품 이미지')
    .setInputFiles({ name: 'prize.gif', mimeType: 'image/gif', buffer: png })
  await page.getByLabel('상품 가치').fill('$3,000')
  await page.getByLabel('상품 설명').fill('두 번째 채굴기\n조용하고 작습니다.')
  await page.getByLabel('이벤트 시작 (UTC)', { exact: true }).fill('tomorrow')
  await shot('event-wrong')
}

/** Confirmations, and notices that offer to undo. */
export async function dialogs({ page, shot, open }: Visit): Promise<void> {
  await open('config')
  // Once a ticket is sold it may only fall.
  const minimum = page.getByLabel('최소 참여 인원')
  await minimum.fill(`${Number(await minimum.inputValue()) - 1}`)
  await page.locator('[data-save-bar] button[type=submit]').click()
  await shot('dialog-save', false)
  await agree(page, '변경 저장')
  await page.locator('#toasts li').waitFor()
  await shot('toast-undo', false)
  await page.route('**/api/admin/setup-otp', (route) =>
    route.fulfill({ status: 403, json: { code: 'REAUTH_REQUIRED', error: 'x' } }),
  )
  await open('security')
  await page.getByRole('button', { name: 'OTP 설정' }).click()
  await page.getByRole('dialog', { name: '본인 확인' }).waitFor()
  await shot('dialog-reauth', false)
  await page.keyboard.press('Escape')
  if (await page.locator('[aria-controls=tab-list]').isVisible()) {
    await page.locator('[aria-controls=tab-list]').click()
    await shot('tabs-open', false)
  }
}

/** Another wallet, before the first payment. */
export async function walletQuestion({ page, shot, open }: Visit): Promise<void> {
  await open('config')
  await page.getByLabel('지갑 주소', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await asked(page, shot, 'wallet', page.locator('[data-save-bar] button[type=submit]'))
}

/** The draw, when every condition is met. */
export async function drawQuestion({ page, shot, open }: Visit): Promise<void> {
  await open('winner')
  await asked(
    page,
    shot,
    'draw',
    page.getByRole('region', { name: '위험 구역' }).locator('button:not([disabled])').first(),
  )
}

/** After a clear, and a new start. */
export async function endQuestions({ page, shot, open }: Visit): Promise<void> {
  await open('winner')
  await asked(page, shot, 'clear', page.getByRole('button', { name: '발표 지우기' }))
  await open('config')
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill('2035-01-01 12:00')
  await asked(page, shot, 'archive', page.locator('[data-save-bar] button[type=submit]'))
}

/** Blocked addresses. */
export async function securityQuestions({ page, shot, open }: Visit): Promise<void> {
  await open('security')
  await asked(page, shot, 'session', page.getByRole('button', { name: '세션 종료' }).last())
  const other = page.getByRole('list', { name: '허용된 IP' }).getByRole('listitem').last()
  await asked(page, shot, 'address', other.getByRole('button'))
}

async function asked(page: Page, shot: Visit['shot'], name: string, button: Locator): Promise<void> {
  await button.click()
  await page.getByRole('dialog').waitFor()
  await shot(`dialog-${name}`, false)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Another administrator saves a field that is being edited here. */
export async function conflict({ page, shot, open }: Visit, stage: Stage): Promise<void> {
  await open('config')
  await page.getByLabel('최소 참여 인원').fill('77')
  const { minTicketsForDraw } = await stage.call('GET', '/api/admin/raffle/config')
  await stage.call('PATCH', '/api/admin/raffle/config', {
    minTicketsForDraw: minTicketsForDraw - 1,
    googleFormUrl: `https://forms.gle/${Math.floor(Math.random() * 1e6)}`,
  })
  await page.getByText('다른 관리자가 방금 설정을 바꿨습니다.').waitFor()
  await shot('config-conflict')
}

/** The server is down: with the page open, and from the beginning. */
export async function outage({ page, shot, open }: Visit): Promise<void> {
  await open('data')
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 503, json: { code: 'DB_UNAVAILABLE', error: 'x' } }),
  )
  for (const tab of ['blockchain', 'history', 'security', 'event']) {
    await open(tab)
    await page.getByRole('alert').first().waitFor()
    await shot(`${tab}-outage`)
  }
  await page.reload()
  await page.getByRole('alert').first().waitFor()
  await shot('gate-outage')
}

/** A list of addresses that would lock its author out, and a prize with a picture. */
export async function addressSteps({ page, shot, open }: Visit): Promise<void> {
  await open('security')
  await page.getByLabel('IP 추가', { exact: true }).fill('203.0.113.9')
  if (await page.getByRole('button', { name: '현재 IP 추가' }).isVisible()) {
    await page.getByRole('button', { name: '추가', exact: true }).click()
    await page.getByText('접속이 차단됩니다').waitFor()
    await shot('security-lockout')
    await page.getByRole('button', { name: '현재 IP 추가' }).click()
    await agree(page, '제한 시작')
    await page.locator('#toasts li').waitFor()
    for (const entry of ['203.0.113.9', '198.51.100.0/24']) {
      await page.getByLabel('IP 추가', { exact: true }).fill(entry)
      await page.getByRole('button', { name: '추가', exact: true }).click()
      await page.getByRole('list', { name: '허용된 IP' }).getByText(entry).waitFor()
    }
  }
  await open('event')
  await page
    .getByLabel('상품 이미지')
    .setInputFiles({ name: 'prize.png', mimeType: 'image/png', buffer: png })
  await page.getByAltText('상품 미리보기').waitFor()
  await page.getByLabel('상품 가치').fill('$3,000')
  await page.getByLabel('상품 설명').fill('두 번째 채굴기입니다. 조용하고 작으며 전기를 덜 씁니다.')
  await page.getByLabel('이벤트 시작 (UTC)', { exact: true }).fill('2030-01-02 03:04')
  await page.getByRole('button', { name: /저장$/ }).last().click()
  await page.locator('#toasts li').waitFor()
}

/** From the QR code to the recovery codes. */
export async function otpSteps({ page, shot, open }: Visit): Promise<void> {
  await open('security')
  await page.getByRole('table', { name: '감사 기록' }).getByText('보기').first().click()
  await shot('security-audit')
  await page.getByRole('button', { name: /^OTP (다시 )?설정$/ }).click()
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await agree(page, '다시 설정')
  const secret = await page.locator('[data-secret]').getAttribute('data-secret')
  await shot('security-otp')
  const nextCode = authenticator(secret ?? '')
  await page.getByLabel('인증 코드', { exact: true }).fill(await nextCode())
  await page.getByRole('button', { name: '코드 확인' }).click()
  await page.getByRole('list', { name: '복구 코드 목록' }).waitFor()
  await shot('security-recovery')
}
