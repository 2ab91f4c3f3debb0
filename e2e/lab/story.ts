import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { openBrowser, watchPage } from './browser.ts'
import { demoRpcPath } from './built-pages.ts'
import { accountsOf } from './chain-verbs.ts'
import { post } from './hook-rpc.ts'
import { type Stack, startStack } from './stack.ts'
import type { ToastNote } from './verbs.ts'
import { createWallet } from './wallet.ts'

export type Story = ReturnType<typeof openStory>
export type Visitor = Awaited<ReturnType<Story['visit']>>

type VisitOptions = {
  /** Index of the anvil account that the wallet holds. */
  account?: number
  wallet?: Partial<Parameters<typeof createWallet>[0]>
  withWallet?: boolean
  width?: number
  height?: number
  hasTouch?: boolean
  path?: string
  javaScript?: boolean
  /** Looks at the page before its scripts listen. */
  isEarly?: boolean
  /** Before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** What the page may complain about in this story, for example while the API is down. */
  allow?: readonly RegExp[]
}

/** Polls until the expectation holds, as a busy machine may be slow. */
export const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 60_000 })

/** What a browser writes to its console while the API is away. */
export const apiAway = [/Failed to load resource: .*503/, /net::ERR_/]

/** Until the public page's scripts listen, which start after the first paint; not every address has them. */
const awake = (page: Page): Promise<void> =>
  page
    .locator('xpath=/*[@data-awake or not(.//script[contains(., "data-awake")])]')
    .waitFor({ state: 'attached' })

/** Notes each toast as it appears: one is shown for five seconds only, and a test on a busy machine may look later. */
function noteToasts(): void {
  const notes: ToastNote[] = []
  Object.assign(window, { toastNotes: notes })
  const note = (toast: Element) => {
    const text = toast.querySelector('[data-toast-text]')
    const parts = [...toast.children].map(({ textContent }) => textContent ?? '')
    if (text) notes.push({ text: text.textContent ?? '', parts, isRead: false })
  }
  document.addEventListener('DOMContentLoaded', () => {
    const place = document.getElementById('toasts')
    if (!place) return
    new MutationObserver((changes) => {
      for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (added instanceof Element)
          for (const toast of added.matches('li') ? [added] : added.querySelectorAll('li')) note(toast)
    }).observe(place, { childList: true, subtree: true })
  })
}

/** One stack and one browser for a test file; a context of its own for each visitor. */
export function openStory(options: Parameters<typeof startStack>[0] = {}) {
  let stack: Stack
  let browser: Browser | undefined
  const allowed = new Map<BrowserContext, readonly RegExp[]>()

  beforeAll(async () => {
    stack = await startStack(options)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    expect(stack?.errors()).toEqual([])
  })

  const account = async (index: number) => {
    const found = (await accountsOf(stack.chain.url))[index]
    if (!found) throw new Error(`anvil has no account ${index}`)
    return found
  }

  const open = async (context: BrowserContext, path: string, isAwaited = true): Promise<Page> => {
    const page = await context.newPage()
    const problems = watchPage(page, new URL(stack.url).origin, allowed.get(context) ?? [])
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail' && !page.isClosed()) {
        const file = join(tmpdir(), `blockdraw-e2e-${task.id}.png`)
        await page.screenshot({ path: file })
        console.error(`What the page showed: ${file}`)
      }
      const found = [...problems]
      // What a test answers in the server's place may be on its way still; a page that is closed routes nothing.
      for (const routed of [page, context])
        await routed.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => undefined)
      await context.close()
      expect(found).toEqual([])
    })
    await page.goto(stack.url + path)
    if (isAwaited && !path.startsWith('/admin')) await awake(page)
    return page
  }

  return {
    get stack() {
      return stack
    },
    account,
    /** Another page of the same visitor. */
    reopen: ({ context }: { context: BrowserContext }, path = '/') => open(context, path),
    /** A visitor with a browser profile of their own, at the page. Problems of the page fail the test. */
    visit: async (visit: VisitOptions = {}) => {
      const { account: index = 1, width = 1280, height = 900, hasTouch = false } = visit
      const { path = '/', javaScript = true, withWallet = true } = visit
      const { url: rpcUrl } = stack.chain
      const wallet = createWallet({ accounts: [await account(index)], rpcUrl, ...visit.wallet })
      if (!browser) throw new Error('The browser has not started.')
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch,
        javaScriptEnabled: javaScript,
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(60_000)
      allowed.set(context, visit.allow ?? [])
      await context.addInitScript(noteToasts)
      await context.route(`**${demoRpcPath}`, async (route) => {
        const response = await post(rpcUrl, route.request().postData() ?? '')
        await route.fulfill({ contentType: 'application/json', body: await response.text() })
      })
      if (withWallet) await wallet.install(context)
      await visit.prepare?.(context)
      const isAwaited = javaScript && !visit.isEarly
      return { page: await open(context, path, isAwaited), context, wallet }
    },
  }
}

/** Directives of the policy that were violated, from the first byte on, in all pages that are opened after this. */
export async function violationsIn(context: BrowserContext): Promise<string[]> {
  const violated: string[] = []
  await context.exposeBinding('reportViolation', (_, directive: string) => violated.push(directive))
  await context.addInitScript(() => {
    const { reportViolation } = window as never as { reportViolation: (directive: string) => void }
    document.addEventListener('securitypolicyviolation', (event) => reportViolation(event.effectiveDirective))
  })
  return violated
}
