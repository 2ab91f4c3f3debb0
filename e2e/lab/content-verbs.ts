import type { Locator, Page } from 'playwright-core'
import { openTab } from './admin-verbs.ts'
import { toastText } from './verbs.ts'

type Both = { en: string; ko: string }

export type WrittenPrize = {
  name: Both
  /** As it is printed. */
  value: string
  /** In USDT; left out for goods. */
  amount?: string
  picture: { bytes: Buffer; alt: Both }
}

/** The form of the next event, in its tab, with its content unfolded. */
export async function openEditor(page: Page): Promise<Locator> {
  await openTab(page, '다음 이벤트')
  const form = page.getByRole('form', { name: '다음 이벤트' })
  await unfoldContent(form)
  return form
}

export const unfoldContent = (form: Locator): Promise<void> =>
  form.getByRole('region', { name: '다음 이벤트 내용' }).locator('summary').click()

export const prizeOf = (form: Locator, place: number): Locator =>
  form.getByRole('region', { name: `경품 ${place}` })

/** A field that is there in both languages. */
export async function fillBoth(part: Locator, label: string, { en, ko }: Both): Promise<void> {
  await part.getByLabel(`${label} · English`).fill(en)
  await part.getByLabel(`${label} · 한국어`).fill(ko)
}

/** With one picture, uploaded; a prize that is not there yet is added below the others. */
export async function writePrize(form: Locator, place: number, written: WrittenPrize): Promise<void> {
  const prize = prizeOf(form, place)
  if ((await prize.count()) === 0) await form.getByRole('button', { name: '경품 추가' }).click()
  await fillBoth(prize, '이름', written.name)
  await prize.getByLabel('인쇄되는 가치').fill(written.value)
  if (written.amount !== undefined) {
    await prize.getByLabel('종류').selectOption('token')
    await prize.getByLabel('금액').fill(written.amount)
  }
  const file = { name: `${place}.png`, mimeType: 'image/png', buffer: written.picture.bytes }
  await prize.getByLabel('사진 파일').setInputFiles([file])
  await fillBoth(prize.getByRole('group', { name: '사진 1' }), '대체 텍스트', written.picture.alt)
}

const pressSave = (form: Locator): Promise<void> => form.getByRole('button', { name: '이벤트 저장' }).click()

export async function saveDraft(page: Page, form: Locator): Promise<void> {
  await pressSave(form)
  await toastText(page, '이벤트 설정을 저장했습니다')
}
