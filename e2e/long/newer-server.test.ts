import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { openStory } from '../lab/story.ts'
import { connectWallet, goTo, ownTickets, pressBuy, recentRows } from '../lab/verbs.ts'

const story = openStory()

/** What a release after this one may add, everywhere. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown)
  if (typeof value !== 'object' || value === null) return value
  const known = Object.entries(value).map(([name, one]) => [name, grown(one)])
  return { ...Object.fromEntries(known), ofLater: { kinds: [{ kind: 'later' }], since: null } }
}

/** Wraps what the stream says, and says something that no page has heard of. */
function growStreams(grow: typeof grown): void {
  const { addEventListener } = EventTarget.prototype
  Object.assign(EventSource.prototype, {
    addEventListener(this: EventSource, type: string, listener: (event: Event) => void) {
      addEventListener.call(this, type, (event) => {
        if (!(event instanceof MessageEvent) || !event.data) return listener(event)
        this.dispatchEvent(new MessageEvent('later', { data: '{}' }))
        const { lastEventId } = event
        listener(new MessageEvent(type, { data: JSON.stringify(grow(JSON.parse(event.data))), lastEventId }))
      })
    },
  })
}

async function laterRelease(context: BrowserContext): Promise<void> {
  await context.addInitScript(`(${growStreams})(${grown})`)
  await context.route(/\/api\/(?!live)/, async (route) => {
    const response = await route.fetch()
    const isJson = response.headers()['content-type']?.includes('json') && response.status() === 200
    await route.fulfill(isJson ? { response, json: grown(await response.json()) } : { response })
  })
}

test('V5: to a page that is older than the server, fields and events that it does not know mean nothing', async () => {
  const { page } = await story.visit({ prepare: laterRelease })
  await connectWallet(page)
  await pressBuy(page, 2)
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
  await goTo(page, 'Recent Purchases')
  await recentRows(page).first().waitFor()
  for (const section of ['Winner', 'Next Event', 'Home'] as const) await goTo(page, section)
})
