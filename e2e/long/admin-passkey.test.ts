import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { admin, agree, arrive, fillLogin, openTab, panel, refusals } from '../lab/admin-verbs.ts'
import { openStory } from '../lab/story.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })

/** Chromium's own authenticator, as a laptop with a fingerprint reader. */
async function plugIn(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    unlocks: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

test('an administrator registers a passkey, logs in with it, and is refused while the device stays locked', async () => {
  // A passkey belongs to a name: an address of digits has none.
  const site = story.stack.url.replace('127.0.0.1', 'localhost')
  const { page } = await story.visit({
    path: '/admin-login',
    // The story's own address is one of digits.
    allow: [...refusals, /^request to a stranger: http:\/\/localhost:/],
    withWallet: false,
  })
  await page.goto(`${site}/admin-login`)
  const device = await plugIn(page)
  await fillLogin(page)
  await arrive(page)
  // Not on this machine alone: until there is a second factor, nothing is shown but its set-up.
  await page.getByText('OTP나 패스키를 설정해야 다른 메뉴를 쓸 수 있습니다.').waitFor()
  await page.getByRole('tab', { name: /^데이터 관리/ }).click()
  await page.getByRole('button', { name: '지금 설정' }).waitFor()
  expect(await panel(page).count()).toBe(0)
  await openTab(page, '시스템 설정')
  expect(await panel(page).getByRole('region', { name: '감사 기록' }).count()).toBe(0)
  const group = panel(page).getByRole('region', { name: '패스키' })
  await group.getByText('등록한 패스키가 없습니다.').waitFor()
  await group.getByRole('button', { name: '패스키 등록' }).click()
  await group.getByText('기기를 알아볼 이름을 입력하세요.').waitFor()
  await group.getByLabel('새 패스키 이름').fill('노트북')
  await group.getByRole('button', { name: '패스키 등록' }).click()
  await group.getByText('노트북').waitFor()
  await group.getByText('아직 쓰지 않음').waitFor()
  await group.getByRole('list', { name: '복구 코드 목록' }).waitFor()
  await group.getByRole('button', { name: /^적어/ }).click()
  await panel(page).getByRole('region', { name: '감사 기록' }).waitFor()
  expect(await page.getByText('OTP나 패스키를 설정해야').count()).toBe(0)
  await panel(page).getByRole('switch', { name: '로그인할 때 인증 코드 요구' }).click()
  await agree(page, '켜기')
  await page.getByText('2단계 인증을 켰습니다', { exact: true }).waitFor()
  await page.getByRole('button', { name: '로그아웃' }).click()

  await page.waitForURL(/admin-login/)
  await fillLogin(page)
  await page.getByText('패스키로 로그인을 확인하세요.').waitFor()
  await device.unlocks(false)
  await page.getByRole('button', { name: '패스키로 확인' }).click()
  await page.getByText('패스키 확인이 취소되었거나 시간이 지났습니다.').waitFor()
  await device.unlocks(true)
  await page.getByRole('button', { name: '패스키로 확인' }).click()
  await arrive(page)
  const [row] = await story.stack.db.execute<{ after: unknown }>(
    sql`select after from audit where action = 'login' and outcome = '200' order by id desc limit 1`,
  )
  expect(row?.after).toEqual({ secondFactor: 'passkey' })
}, 180_000)
