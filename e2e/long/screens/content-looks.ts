import { firstEventContent } from '../../../core/content/first-event.ts'
import { agree, png } from '../../lab/admin-verbs.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Visit } from './admin-looks.ts'
import type { Stage } from './admin-stage.ts'

const editor = '다음 이벤트 내용'

/** The editor of the next event's content: as it begins, filled, wrong, and saved by somebody else meanwhile. */
export async function contentSteps({ page, shot, open }: Visit, stage: Stage): Promise<void> {
  const saved = await stage.call('GET', '/api/admin/raffle/next-content')
  if (saved.draft) await stage.call('DELETE', `/api/admin/raffle/next-content?version=${saved.version}`)
  await open('event')
  await page.evaluate(() => localStorage.removeItem('blockdraw:admin-content-next'))
  await page.reload()
  const form = page.getByRole('form', { name: editor })
  await form.waitFor()
  await shot('content-begun')
  await form.getByLabel('제목 · English').fill('Two miners,\none phone,\nthree winners.')
  await form.getByLabel('제목 · 한국어').fill('채굴기 두 대,\n휴대전화 한 대,\n세 명의 당첨자.')
  await form.getByLabel('수량').fill('2')
  await form.getByLabel('사진 파일').setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: png }])
  await form.getByLabel('대체 텍스트 · English').fill('A grey box')
  await form.getByLabel('대체 텍스트 · 한국어').fill('회색 상자')
  await form.getByRole('button', { name: '경품 추가' }).click()
  const second = form.getByRole('region', { name: '경품 2' })
  await second.getByLabel('이름 · English').fill('Phone')
  await second.getByLabel('이름 · 한국어').fill('휴대전화')
  await second.getByLabel('인쇄되는 가치').fill('$900')
  await shot('content-filled')
  await shot('content-filled-window', false)
  const preview = page.getByRole('region', { name: '미리보기' })
  await preview.getByRole('button', { name: '데스크톱' }).click()
  await preview.getByRole('button', { name: 'English' }).click()
  await shot('content-desktop')
  await preview.getByRole('button', { name: '휴대전화' }).click()
  await second.getByLabel('종류').selectOption('token')
  await second.getByLabel('이름 · 한국어').fill('')
  await form.getByLabel('검색과 공유 요약 · English').fill('x'.repeat(230))
  await form.getByRole('button', { name: '내용 초안 저장' }).click()
  await shot('content-wrong')
  await second.getByLabel('이름 · 한국어').fill('휴대전화')
  await second.getByLabel('금액').fill('900')
  await form.getByLabel('검색과 공유 요약 · English').fill('Two miners and a phone.')
  const { version } = await stage.call('GET', '/api/admin/raffle/next-content')
  const theirs = { ...firstEventContent, lead: { en: 'By another hand.', ko: '다른 사람이 썼습니다.' } }
  await stage.call('PUT', '/api/admin/raffle/next-content', { content: theirs, version })
  await form.getByRole('button', { name: '내용 초안 저장' }).click()
  await page.getByText('다른 관리자가 방금').waitFor()
  await shot('content-conflict')
  await page.getByRole('button', { name: '내 입력 유지' }).click()
  await form.getByRole('button', { name: '내용 초안 저장' }).click()
  await toastText(page, '초안을 저장했습니다')
  await shot('content-saved')
}

/** What is said in public once a ticket is sold, and never taken back. */
export async function correctionSteps({ page, shot, open }: Visit): Promise<void> {
  await open('event')
  const form = page.getByRole('form', { name: '정정 덧붙이기' })
  await form.getByLabel('정정 · English').fill('The box is grey, not black.')
  await form.getByLabel('정정 · 한국어').fill('상자는 검은색이 아니라 회색입니다.')
  await form.getByRole('button', { name: '정정 공개' }).click()
  await shot('correction-question', false)
  await agree(page, '공개')
  await toastText(page, '정정을 공개했습니다')
  await page.getByText('저장된 버전').click()
  await shot('correction-done')
}
