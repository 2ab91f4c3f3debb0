import type { Browser } from 'playwright-core'

/** Bytes on the wire by kind that a browser fetches for `url` until the network is idle. */
export async function weighPage(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const weight = { script: 0, scriptGzip: 0, document: 0, font: 0, other: 0, requests: 0 }
  const noted: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/')) return
    const note = async () => {
      const { responseBodySize } = await request.sizes()
      const kind = request.resourceType()
      weight[kind === 'script' || kind === 'document' || kind === 'font' ? kind : 'other'] += responseBodySize
      weight.requests++
      if (kind !== 'script') return
      const gzip = await gzipSize(request.url())
      weight.scriptGzip += gzip
    }
    noted.push(note())
  })
  await page.goto(url)
  await page.waitForTimeout(4_000)
  await Promise.all(noted)
  await context.close()
  return weight
}

async function gzipSize(url: string): Promise<number> {
  const answer = await fetch(url, {
    headers: { 'accept-encoding': 'gzip' },
    decompress: false,
  } as RequestInit)
  return (await answer.arrayBuffer()).byteLength
}
