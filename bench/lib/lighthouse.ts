import { join } from 'node:path'

export type Score = {
  version: string
  /** Out of 100. */
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  fcpMs: number
  lcpMs: number
  tbtMs: number
  cls: number
  /** Audits that cost points in a category. */
  wanting: string[]
}

type Report = {
  lighthouseVersion: string
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number }>
}

const root = join(import.meta.dir, '../..')

/** Lighthouse for phones (slow line, slow processor, by its own simulation) in the browser that listens at `port`. */
export async function scorePage({ url, port }: { url: string; port: number }): Promise<Score> {
  const command = [
    ...[process.execPath, '--bun', join(root, 'node_modules/.bin/lighthouse'), url, `--port=${port}`],
    ...['--quiet', '--output=json', '--output-path=stdout'],
    '--only-categories=performance,accessibility,best-practices,seo',
  ]
  const child = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [text, trouble] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`Lighthouse failed:\n${trouble}`)
  return scoreOf(JSON.parse(text) as Report)
}

function scoreOf({ lighthouseVersion: version, categories, audits }: Report): Score {
  const points = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  const weighed = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  )
  return {
    version,
    performance: points('performance'),
    accessibility: points('accessibility'),
    bestPractices: points('best-practices'),
    seo: points('seo'),
    fcpMs: value('first-contentful-paint'),
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    wanting: weighed.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < 0.9),
  }
}
