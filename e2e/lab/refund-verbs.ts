import type { Page } from 'playwright-core'
import { arrive, panel } from './admin-verbs.ts'

export async function prepare(page: Page, which: '환불 준비' | '추가 준비' = '환불 준비'): Promise<void> {
  await panel(page).getByRole('button', { name: which }).click()
  await page.getByRole('dialog').getByRole('button', { name: '환불 준비' }).click()
}

export const connectOperator = (page: Page): Promise<void> =>
  panel(page).getByRole('button', { name: '운영자 지갑 연결' }).click()

/** The gold button, once it can be pressed. */
export const sign = (page: Page): Promise<void> =>
  panel(page)
    .getByRole('button', { name: /\d+건 지갑에서 승인/ })
    .click()

/** As at any moment: the page is reloaded, and the wallet has to be connected again. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await arrive(page)
  await connectOperator(page)
}

/** Another way than the one that is chosen by itself. */
export async function choosePath(page: Page, name: string): Promise<void> {
  await panel(page).locator('details:has(fieldset) summary').click()
  await panel(page).locator('details:has(fieldset)').getByText(name, { exact: true }).click()
}
