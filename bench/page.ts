import { openBrowser } from '../e2e/lab/browser.ts'
import { startStack } from '../e2e/lab/stack.ts'
import { freePort } from '../infra/local/ports.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, median, printTable, spread, wholeSpread } from './lib/figures.ts'
import { type Score, scorePage } from './lib/lighthouse.ts'
import { weighPage } from './lib/weigh-page.ts'

/**
 * The first view of the public pages, built and served as in production, with a real API behind it: its weight
 * before any interaction, and its Lighthouse result on a phone. `bun run bench page [rounds] [paths]`
 */
export async function bench([rounds = '5', paths = '/,/ko/,/e/1/,/ko/e/1/']: string[]): Promise<void> {
  const stack = await startStack({ database: await ownPostgres({ durable: false }) })
  const port = await freePort()
  const browser = await openBrowser([`--remote-debugging-port=${port}`])
  try {
    for (const path of paths.split(',')) {
      const page = { url: stack.url + path, port }
      const weight = await weighPage(browser, page.url)
      const scores: Score[] = []
      for (let round = 0; round < Number(rounds); round++) scores.push(await scorePage(page))
      console.log(`\n${path}: KB as sent (brotli), Lighthouse ${scores[0]?.version} mobile, ${rounds} rounds`)
      printTable([...weightRows(weight), ...scoreRows(scores)].map((row) => ({ goal: '', ...row })))
    }
  } finally {
    await browser.close()
    await stack.stop()
  }
}

type Weight = Awaited<ReturnType<typeof weighPage>>

type Row = { what: string; figure: string; goal?: string }

function weightRows({ script, scriptGzip, document, font, other, requests }: Weight): Row[] {
  const kb = (bytes: number) => (bytes / 1000).toFixed(1)
  return [
    { what: 'JavaScript before interaction', figure: kb(script), goal: judged(script <= 80_000, '<= 80') },
    { what: 'the same by gzip', figure: kb(scriptGzip), goal: judged(scriptGzip <= 80_000, '<= 80') },
    { what: 'page with its styles', figure: kb(document) },
    { what: 'typefaces', figure: kb(font) },
    { what: 'all else', figure: kb(other) },
    { what: 'requests', figure: `${requests}` },
  ]
}

function scoreRows(scores: readonly Score[]): Row[] {
  const of = (pick: (score: Score) => number) => scores.map(pick)
  const full = (what: string, name: 'performance' | 'accessibility' | 'bestPractices' | 'seo') => {
    const values = of((score) => score[name])
    return { what, figure: wholeSpread(values), goal: judged(median(values) === 100, '100') }
  }
  const lcp = of(({ lcpMs }) => lcpMs / 1000)
  const cls = of((score) => score.cls)
  return [
    full('performance', 'performance'),
    full('accessibility', 'accessibility'),
    full('best practices', 'bestPractices'),
    full('search engines', 'seo'),
    { what: 'first paint, s', figure: spread(of(({ fcpMs }) => fcpMs / 1000)) },
    { what: 'largest paint, s', figure: spread(lcp), goal: judged(median(lcp) <= 1.5, '<= 1.5') },
    { what: 'blocking time, ms', figure: wholeSpread(of(({ tbtMs }) => tbtMs)) },
    { what: 'layout shift', figure: spread(cls, 3), goal: judged(Math.max(...cls) === 0, '0') },
    {
      what: 'found wanting',
      figure: [...new Set(scores.flatMap(({ wanting }) => wanting))].join(', ') || 'nothing',
    },
  ]
}
