import type { BrowserContext } from 'playwright-core'

/** As if this browser had bought under these terms of event 1. */
export async function keepTerms(context: BrowserContext, terms: string): Promise<void> {
  const kept = JSON.stringify([{ eventNumber: 1, terms, firstDrawDate: null, ownUntil: 0 }])
  await context.addInitScript((text) => localStorage.setItem('blockdraw:terms', text), kept)
}
