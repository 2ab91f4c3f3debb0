import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { admin, agree, arrive, fillLogin, panel, refusals } from '../lab/admin-verbs.ts'
import { forFile } from '../lab/opened.ts'
import { makeCertificate, startReceiver } from '../lab/receivers.ts'
import { openStory } from '../lab/story.ts'

const tls = makeCertificate(['localhost'])
const receiver = await forFile(startReceiver(tls))
const trusted = mkdtempSync(join(tmpdir(), 'blockdraw-ca-'))
await forFile({ close: () => rmSync(trusted, { recursive: true, force: true }) })
writeFileSync(join(trusted, 'ca.pem'), tls.cert)

const story = openStory({
  env: {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    // The worker sends to a receiver whose certificate no authority has signed.
    NODE_EXTRA_CA_CERTS: join(trusted, 'ca.pem'),
    PUBLIC_SITE_URL: 'https://raffle.example',
  },
})
/** The sale is halted: one of the things that are told. */
const halt = (second: number) =>
  story.stack.db.execute(sql`update events set halted_at = to_timestamp(${second})`)
const channelRow = (page: Page): Locator =>
  panel(page).getByRole('list', { name: '알림 채널' }).getByRole('listitem')
const deliveryRows = (page: Page): Locator =>
  panel(page).getByRole('table', { name: '알림 전달 기록' }).locator('tbody tr')
const readAgain = (page: Page) =>
  Promise.all([
    page.waitForResponse(/admin\/deliveries/),
    panel(page)
      .getByRole('region', { name: '알림 전달 기록' })
      .getByRole('button', { name: '새로 읽기' })
      .click(),
  ])

test('an administrator adds a webhook, tests it, is told of a halt, and sends again what the receiver refused', async () => {
  const { page } = await story.visit({ path: '/admin-login', allow: refusals, withWallet: false })
  await fillLogin(page)
  await arrive(page)
  await panel(page).getByText('알림 채널이 없습니다.').waitFor()
  await panel(page).getByText('아직 보낸 알림이 없습니다.').waitFor()

  await panel(page).getByRole('button', { name: '채널 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '알림 채널 추가' })
  await dialog.getByRole('button', { name: '저장' }).click()
  expect(await dialog.getByText('값을 입력해주세요.').count()).toBe(3)
  await dialog.getByLabel('이름').fill('운영팀')
  await dialog.getByLabel('받는 주소 (URL)').fill('http://localhost/')
  await dialog.getByRole('button', { name: '새 서명 키 만들기' }).click()
  const key = await dialog.getByLabel('서명 키 (Standard Webhooks)').inputValue()
  await dialog.getByLabel('새 주소에서 로그인').uncheck()
  await dialog.getByRole('button', { name: '저장' }).click()
  await dialog.getByText('https:// 로 시작하는 올바른 주소가 아닙니다.').waitFor()
  await dialog.getByLabel('받는 주소 (URL)').fill(`https://localhost:${receiver.port}/in`)
  await dialog.getByRole('button', { name: '저장' }).click()
  await channelRow(page).getByText('운영팀').waitFor()

  await channelRow(page).getByRole('button', { name: '시험 전송' }).click()
  await channelRow(page).getByText('시험 알림이 전달되었습니다').waitFor()
  await deliveryRows(page).getByText('전달됨').waitFor()
  await halt(1)
  await receiver.until(2)
  const told = receiver.received.map(({ body, headers }) => new Webhook(key).verify(body, headers))
  expect(told).toMatchObject([
    { type: 'test', data: { title: '알림 시험' } },
    { type: 'halted', data: { eventNumber: 1, link: 'https://raffle.example/admin' } },
  ])

  receiver.answer = (_, response) => response.writeHead(500).end()
  await halt(2)
  await receiver.until(3)
  const refused = deliveryRows(page).filter({ hasText: '받는 쪽에 오류가 있습니다' })
  while ((await refused.count()) === 0) {
    await readAgain(page)
  }
  receiver.answer = (_, response) => response.end()
  await refused.getByRole('button', { name: '지금 다시 보내기' }).click()
  while ((await deliveryRows(page).getByText('전달됨').count()) < 3) {
    await readAgain(page)
  }
  const ids = receiver.received.slice(2).map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)

  await channelRow(page).getByRole('button', { name: '변경' }).click()
  const change = page.getByRole('dialog', { name: '알림 채널 변경' })
  // What was entered is not read back.
  expect(await change.getByLabel('서명 키 (Standard Webhooks)').inputValue()).toBe('')
  expect(await change.getByLabel('새 주소에서 로그인').isChecked()).toBe(false)
  await change.getByRole('switch').click()
  await change.getByRole('button', { name: '저장' }).click()
  await channelRow(page).getByText('꺼짐').waitFor()
  await channelRow(page).getByRole('button', { name: '삭제' }).click()
  await agree(page, '삭제')
  await panel(page).getByText('알림 채널이 없습니다.').waitFor()
})
