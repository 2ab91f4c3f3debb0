import { join, resolve } from 'node:path'
import { authenticator } from '../../../lab/admin-verbs.ts'
import { colourPicture } from '../../../lab/colour-picture.ts'
import type { Operator } from './operator.ts'
import type { Place } from './place.ts'

/** What the operator writes down: the password that replaces the printed one. */
const ownPassword = 'seven quiet otters at noon'
const dayMs = 86_400_000

/** From the printed password through the set-up list, in its order. */
export async function firstHour(day: Operator, place: Place): Promise<void> {
  await logIn(day, place)
  await secondFactor(day)
  await addresses(day)
  await wallet(day)
  await looks(day)
  await backup(day, place)
  await alerts(day, place)
  await content(day)
  await date(day)
}

async function logIn(day: Operator, { printed }: Place): Promise<void> {
  const { page, say, shot, button, field } = day
  const password = /one-time password (\S+)/.exec(printed)?.[1] ?? ''
  await page.goto(`${day.url}/admin-login`)
  if (day.language === 'en') await page.getByRole('button', { name: 'English', exact: true }).click()
  await page.getByRole('heading', { name: say('관리자 로그인') }).waitFor()
  await day.read('접근이 허용된 IP')
  await shot('login')
  await button(page, '로그인').click()
  await shot('login-empty')
  const enter = async (text: string) => {
    await field(page, '사용자명').fill('admin')
    await field(page, '비밀번호').fill(text)
    await button(page, '로그인').click()
  }
  await enter('not the password')
  await page.getByRole('alert').waitFor()
  await shot('login-wrong')
  await enter(password)
  await page.getByRole('heading', { name: say('새 비밀번호 설정') }).waitFor()
  await shot('first-password')
  const change = async (text: string) => {
    await field(page, '일회용 비밀번호').fill(password)
    await field(page, '새 비밀번호').fill(text)
    await field(page, '새 비밀번호 확인').fill(text)
    await button(page, '비밀번호 변경').click()
  }
  await change('password1')
  await page.locator('[aria-invalid=true]').first().waitFor()
  await shot('first-password-weak')
  await change(ownPassword)
  await page.getByRole('heading', { name: say('기본 설정'), level: 1 }).waitFor()
  await shot('first-dashboard')
}

type Words = Parameters<Operator['say']>[0]

/** Presses the button of a step of the set-up list, on the first tab. */
async function goToStep(day: Operator, title: Words, word: Words): Promise<void> {
  await day.open('기본 설정')
  await day.page.getByRole('button', { name: `${day.say(title)}: ${day.say(word)}`, exact: true }).click()
}

const isDone = async (day: Operator, step: string): Promise<void> => {
  await day.open('기본 설정')
  await day.page.locator(`[data-step=${step}][data-state=done]`).waitFor()
}

async function secondFactor(day: Operator): Promise<void> {
  const { page, shot, press, type, panel } = day
  await goToStep(day, '2단계 인증(OTP)', '2단계 인증 설정')
  await press('OTP 설정')
  const secret = (await panel().locator('[data-secret]').getAttribute('data-secret')) ?? ''
  await type('인증 코드', '12')
  await press('코드 확인')
  await shot('otp')
  await type('인증 코드', await authenticator(secret)())
  await press('코드 확인')
  await page.getByRole('list', { name: day.say('복구 코드 목록') }).waitFor()
  await shot('recovery-codes')
  await press('적어 두었습니다')
  await panel()
    .getByRole('switch', { name: day.say('로그인할 때 인증 코드 요구') })
    .click()
  await shot('otp-question')
  await day.agree('켜기')
  await day.read('2단계 인증을 켰습니다')
  await shot('otp-on')
  await isDone(day, 'otp')
}

async function addresses(day: Operator): Promise<void> {
  await goToStep(day, '접속 허용 IP 주소', '주소 정하기')
  await day.type('IP 추가', '999.1.1.1')
  await day.press('추가')
  await day.shot('address-wrong')
  await day.press('현재 IP 추가')
  await day.shot('address-question')
  await day.agree('제한 시작')
  await day.read('IP 목록을 저장했습니다')
  await isDone(day, 'addresses')
}

async function wallet(day: Operator): Promise<void> {
  await goToStep(day, '운영자 지갑 소유 증명', '지갑으로 가기')
  await day.press('다른 곳에서 서명')
  await day.shot('wallet')
  await day.press('지갑으로 서명')
  await day.read('지갑을 확인했습니다')
  await isDone(day, 'wallet')
}

/** The chain, where one machine cannot be two providers: this step stays open. And the key that anchors. */
async function looks(day: Operator): Promise<void> {
  await goToStep(day, '서로 다른 RPC 제공자 두 곳', '연결 상태 보기')
  await day.shot('connections')
  await isDone(day, 'anchor')
  await day.open('블록체인 추첨')
  await day.shot('draw-before')
}

async function backup(day: Operator, { stack, dataDir }: Place): Promise<void> {
  await day.open('기본 설정')
  await day.button(day.page, '방법 보기').click()
  await day.shot('backup-how')
  const command = [
    process.execPath,
    resolve(import.meta.dirname, '../../../../infra/cli/backup.ts'),
    join(dataDir, 'day.gz'),
  ]
  const made = Bun.spawnSync(command, { env: { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl } })
  if (made.exitCode !== 0) throw new Error(`backup: ${made.stderr}`)
  await isDone(day, 'backup')
}

async function alerts(day: Operator, { receiver }: Place): Promise<void> {
  const { dialog, field, button, shot, page } = day
  await goToStep(day, '알림 도착 확인', '알림으로 가기')
  await day.press('채널 추가')
  await button(dialog(), '저장').click()
  await shot('channel-empty')
  await field(dialog(), '알림 언어').selectOption(day.language)
  await field(dialog(), '이름').fill('On call')
  await field(dialog(), '받는 주소 (URL)').fill(`https://localhost:${receiver.port}/in`)
  await button(dialog(), '새 서명 키 만들기').click()
  await shot('channel-filled')
  await button(dialog(), '저장').click()
  await dialog().waitFor({ state: 'hidden' })
  await day.press('시험 전송')
  await page.getByText(day.say('시험 알림이 전달되었습니다')).waitFor()
  await shot('channel-tested')
  await isDone(day, 'alert')
}

async function content(day: Operator): Promise<void> {
  const { page, panel, say, shot } = day
  await goToStep(day, '이벤트 내용', '내용 쓰기')
  await shot('next-event-empty')
  await day.press('이벤트 {eventNumber}의 내용 바꾸기', { eventNumber: 1 })
  const form = panel().getByRole('form', { name: say('이벤트 {eventNumber}의 내용', { eventNumber: 1 }) })
  const both = async (part: typeof form, label: Words, en: string, ko: string) => {
    await part.getByLabel(`${say(label)} · English`, { exact: true }).fill(en)
    await part.getByLabel(say('{label} · 한국어', { label: say(label) }), { exact: true }).fill(ko)
  }
  await both(form, '제목', 'One bicycle,\ndrawn in public.', '자전거 한 대,\n공개 추첨.')
  await both(
    form,
    '소개',
    'A city bicycle, {price} USDT a ticket.',
    '도시용 자전거, 티켓 한 장에 {price} USDT.',
  )
  await both(form, '검색과 공유 요약', 'Tickets for a city bicycle.', '')
  const prize = form.getByRole('region', { name: say('경품 {at}', { at: 1 }) })
  await both(prize, '이름', 'City bicycle', '도시용 자전거')
  await day.field(prize, '인쇄되는 가치').fill('$900')
  await both(prize, '설명', 'Eight gears, and a bell.', '8단 기어와 벨이 있습니다.')
  const picture = {
    name: 'bicycle.png',
    mimeType: 'image/png',
    buffer: colourPicture(1200, 800, [64, 96, 88]),
  }
  await prize.getByLabel(say('사진 파일')).setInputFiles([picture])
  const first = prize.getByRole('group', { name: say('사진 {at}', { at: 1 }), exact: true })
  await both(first, '대체 텍스트', 'A green bicycle', '')
  await day.button(form, '내용 저장').click()
  await shot('content-wrong')
  await both(form, '검색과 공유 요약', 'Tickets for a city bicycle.', '도시용 자전거를 추첨합니다.')
  await both(first, '대체 텍스트', 'A green bicycle', '초록색 자전거')
  await day.button(form, '내용 저장').click()
  await day.read('이벤트 내용을 저장했습니다')
  await shot('content-saved')
  await page.keyboard.press('Escape')
  await isDone(day, 'content')
}

async function date(day: Operator): Promise<void> {
  await goToStep(day, '추첨 일시', '날짜 정하기')
  await day.type('추첨 일시 (UTC)', 'in three days')
  await day.type('최소 참여 인원', '0')
  await day.press('설정 저장')
  await day.shot('settings-wrong')
  await day.type('추첨 일시 (UTC)', stamp(Date.now() + 3 * dayMs))
  await day.type('최소 참여 인원', '60')
  await day.panel().getByLabel('Google Form URL').fill('https://forms.gle/blockdraw')
  await day.press('설정 저장')
  await day.shot('settings-question')
  await day.agree('변경 저장')
  await day.read('설정을 저장했습니다')
  await day.shot('set-up-done')
  await day.button(day.page, '접어 두기').click()
  await day.shot('set-up-away')
}

/** As the fields take it. */
export const stamp = (moment: number): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
