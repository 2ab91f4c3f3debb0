import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { startPostgres } from '../../../infra/local/postgres.ts'
import { openBrowser } from '../../lab/browser.ts'
import { startStack } from '../../lab/stack.ts'

export type Look = { width: number; language: 'en' | 'ko'; theme: 'light' | 'dark' }

/**
 * Where pictures are taken, for review by people. Every command of this folder is called with
 * `OUTDIR [widths] [languages] [themes] [beginnings of names]`, each a list with commas.
 */
export async function openStudio(options: Omit<NonNullable<Parameters<typeof startStack>[0]>, 'database'>) {
  const [outDir, widths = '1440,390', languages = 'en,ko', themes = 'light,dark', names = ''] =
    process.argv.slice(2)
  if (!outDir) {
    console.error('Say where the pictures go: OUTDIR [widths] [languages] [themes] [beginnings of names]')
    process.exit(1)
  }
  mkdirSync(outDir, { recursive: true })
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
  chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
  const postgres = await startPostgres({ dataDir, durable: false })
  const stack = await startStack({
    database: { url: postgres.url, close: async () => undefined },
    ...options,
  })
  const browser = await openBrowser()
  const looks: Look[] = widths
    .split(',')
    .flatMap((width) =>
      (languages.split(',') as Look['language'][]).flatMap((language) =>
        (themes.split(',') as Look['theme'][]).map((theme) => ({ width: Number(width), language, theme })),
      ),
    )
  return {
    ...{ stack, looks, languages: languages.split(',') },
    isWanted: (name: string) => names.split(',').some((wanted) => name.startsWith(wanted)),
    fileOf: (name: string) => join(outDir, `${name}.png`),
    open: async ({ width, theme }: Look, prepare?: (context: BrowserContext) => Promise<unknown>) => {
      const viewport = { width, height: width < 700 ? 800 : 900 }
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      context.setDefaultTimeout(15_000)
      await prepare?.(context)
      return context.newPage()
    },
    /** A picture of the whole page, or of the visible part. */
    shot: async (page: Page, { width, language, theme }: Look, name: string, fullPage = true) => {
      await settle(page)
      await page.screenshot({ path: join(outDir, `${width}-${language}-${theme}-${name}.png`), fullPage })
    },
    close: async () => {
      await browser.close()
      await stack.stop()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type Studio = Awaited<ReturnType<typeof openStudio>>

/** Waits until data, pictures and fonts are there and fade-ins are over. */
export async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () =>
        [...document.querySelectorAll('[aria-busy=true], .bone')].every((part) => !part.checkVisibility()),
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => undefined)
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
    await document.fonts.ready
  })
  await page.waitForTimeout(400)
}
