import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventPage } from '../../core/content/event-content.ts'
import { answeredPage } from '../../e2e/lab/answered-page.ts'
import { cardSvg } from '../../site/src/event/share/card-svg.ts'
import { checkedPage } from './check.ts'
import { pagesOf } from './pages.ts'

const at = '2030-02-01T00:00:00.000Z'
const wallet = `0x${'77'.repeat(20)}` as const
const hash = `0x${'88'.repeat(32)}` as const
/** With something in each list, so that each of its values can be another. */
const drawn = answeredPage(1, {
  ...{ state: 'drawn', isArchived: true, ticketsSold: 10, saleEnd: at, drawDate: at, hasLedger: true },
  ...{ operatorWallet: wallet, refundReason: null },
  result: {
    winners: [{ place: 1, walletAddress: wallet, transactionHash: hash, ticketNumber: 3, ticketCount: 2 }],
    ...{ randomNumber: '123', drawnAt: at, ledgerSha256: hash, commitment: hash },
  },
  prizes: [
    {
      ...{ eventNumber: 1, place: 1, kind: 'goods', units: null, state: 'claimed', claimBy: at },
      holder: { kind: 'winner', place: 1, walletAddress: wallet },
      steps: [{ step: 'claimed', at, walletAddress: wallet, transactionHash: hash, reason: null }],
    },
  ],
  changes: [{ at, field: 'drawDate', from: null, to: at }],
})

const element = '<img src=x onerror=alert(1)>'
const values: unknown[] = [
  ...[undefined, null, true, -1, 1.5, 1e300, '', element, 'javascript:alert(1)', [], {}],
  // Markup of ours has this form: in an answer it is no text.
  ...[{ markup: element }, { en: { markup: element }, ko: { markup: element } }],
]

/** The path of each value of an answer. */
const placesIn = (value: unknown, path: string[] = []): string[][] => [
  ...(path.length > 0 ? [path] : []),
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))
    : []),
]

/** The answer as it comes from the network, but for one value. */
function withOther(path: readonly string[], value: unknown): unknown {
  const answer = structuredClone(drawn)
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], answer)
  Object.assign(holder as object, { [path.at(-1) as string]: value })
  return JSON.parse(JSON.stringify(answer))
}

/** Pages with every place that an event fills. */
function openTemplates(): string {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-templates-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const names = ['title', 'lead', 'count', 'picture', 'value', 'kind'].map((name) => `hero-${name}`)
  const slots = [
    ...[...names, 'prize-about', 'prize-list', 'prize-shipping', 'prize-links', 'sale'],
    ...['result', 'record', 'terms', 'terms-line', 'changes', 'event-state', 'json-ld', 'stub-number'],
  ]
  const page = `<html>${slots.map((name) => `<div data-slot="${name}"></div>`).join('')}</html>`
  for (const name of ['ko', '_publish']) mkdirSync(join(dir, name))
  for (const name of ['index', 'ko/index', '_publish/event-en', '_publish/event-ko'])
    writeFileSync(join(dir, `${name}.html`), page)
  return dir
}

test('one wrong value in an answer keeps that event as it is, or makes its page: it stops no other, and becomes no element', () => {
  const options = { dir: openTemplates(), picturePath: () => '/pictures/a.jpg', sharePath: () => '' }
  const running = answeredPage(2)
  let refused = 0
  for (const path of placesIn(drawn))
    for (const value of values) {
      const name = `${path.join('.')} = ${JSON.stringify(value)}`
      let page: EventPage
      try {
        page = checkedPage(withOther(path, value), 1)
      } catch {
        refused++
        continue
      }
      const pages = pagesOf({ current: 2, events: [page, running], unread: [], missing: [] }, options)
      const made = [...pages.values(), cardSvg(page, 'en', () => undefined)].join('')
      expect([name, made.match(/<img src=x|undefined|\[object|NaN|href="javascript/)]).toEqual([name, null])
    }
  // Texts of a change and of a reason may be any.
  expect(refused).toBeGreaterThan(900)
})
