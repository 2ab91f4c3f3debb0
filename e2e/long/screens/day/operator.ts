import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Language } from '../../../../core/admin/language.ts'
import type { Korean } from '../../../../site/src/admin/language/t.ts'
import { faultsOn } from './faults.ts'
import { wordsIn } from './words.ts'

type Options = { page: Page; language: Language; widths: readonly number[]; out: string; url: string }
type Values = Record<string, string | number>

export type Operator = ReturnType<typeof createOperator>

/**
 * The hands and eyes of an operator at the dashboard: everything is found by its role and its words in the chosen
 * language, and each step leaves a picture at every width.
 */
export function createOperator({ page, language, widths, out, url }: Options) {
  const say = wordsIn(language)
  const faults: string[] = []
  const [working = 1440] = widths
  let step = 0

  const panel = (): Locator => page.getByRole('tabpanel')
  const dialog = (): Locator => page.getByRole('dialog')
  const button = (within: Locator | Page, korean: Korean, values?: Values): Locator =>
    within.getByRole('button', { name: say(korean, values), exact: true })
  const field = (within: Locator | Page, korean: Korean, values?: Values): Locator =>
    within.getByLabel(say(korean, values), { exact: true })
  async function settle(): Promise<void> {
    await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone')).catch(() => undefined)
    await page.evaluate(() => document.fonts.ready)
    // Colours and places move for a moment after a change of width.
    await page.waitForTimeout(250)
  }

  return {
    ...{ page, say, panel, dialog, button, field, faults, url, language },
    /** A picture of this step at every width: of the whole page, or of the window where a dialog is open. */
    async shot(name: string): Promise<void> {
      step++
      const file = `${`${step}`.padStart(2, '0')}-${name}`
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 700 ? 800 : 900 })
        await settle()
        const fullPage = !(await dialog().first().isVisible())
        await page.screenshot({ path: join(out, `${language}-${file}-${width}.png`), fullPage })
        for (const fault of await faultsOn(page, language === 'en')) faults.push(`${file} ${width}: ${fault}`)
      }
      await page.setViewportSize({ width: working, height: 900 })
    },
    /** Opens a tab by its name. */
    open: async (korean: Korean): Promise<void> => {
      await page.getByRole('tab', { name: new RegExp(`^${say(korean)}( ?[\\d,]+)?$`) }).click()
      await page.getByRole('heading', { level: 1, name: say(korean), exact: true }).waitFor()
    },
    press: (korean: Korean, values?: Values): Promise<void> => button(panel(), korean, values).click(),
    type: (korean: Korean, text: string, values?: Values): Promise<void> =>
      field(panel(), korean, values).fill(text),
    /** Confirms the question that is open. */
    async agree(korean: Korean, typed?: string, values?: Values): Promise<void> {
      if (typed !== undefined) await dialog().getByRole('textbox').fill(typed)
      await button(dialog(), korean, values).click()
      await dialog().waitFor({ state: 'hidden' })
    },
    /** Waits until this stands on the page. */
    read: (korean: Korean, values?: Values): Promise<void> =>
      page.getByText(say(korean, values)).filter({ visible: true }).first().waitFor(),
  }
}
