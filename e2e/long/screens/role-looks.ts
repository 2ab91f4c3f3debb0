import type { Visit } from './admin-looks.ts'

/** Administrators: the list, one that is added, and the password that is told once. */
export async function roleSteps({ page, shot, open }: Visit): Promise<void> {
  await open('security')
  await shot('security-roles')
  await page.getByRole('button', { name: /관리자 추가|Add administrator/ }).click()
  await shot('roles-add', false)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(`helper-${Date.now() % 100_000}`)
  await dialog.getByRole('button', { name: /^(추가|Add)$/ }).click()
  await page.locator('[data-secret]').waitFor()
  await shot('roles-password', false)
}
