import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { keccak256, toHex } from 'viem'
import { usdtOnBsc } from '../core/chain/register.ts'
import type { Proof } from '../core/draw/proof.ts'
import { termsLine } from '../core/event/terms.ts'
import { ledgerHeader, ledgerText } from '../core/payment/ledger.ts'
import { openBrowser } from '../e2e/lab/browser.ts'
import { fitted } from '../e2e/lab/forged-proof.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

type Run = {
  firstMs: number
  allMs: number
  longestMs: number
  idleMs: number
  signatureMs: number
  results: string[]
}

/** The verifier in a real browser over a long list, without receipts: `bun run bench verify [rounds] [lines]`. */
export async function bench([rounds = '5', count = '100000']: string[]): Promise<void> {
  const { proof, ledger } = await sale(Number(count))
  const built = await Bun.build({ entrypoints: [join(import.meta.dir, 'lib/verify-page.ts')], minify: true })
  const script = (await built.outputs[0]?.text()) ?? ''
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/ledger') return new Response(ledger)
      if (pathname === '/script.js')
        return new Response(script, { headers: { 'content-type': 'text/javascript' } })
      return new Response('<script src="/script.js"></script>', { headers: { 'content-type': 'text/html' } })
    },
  })
  const browser = await openBrowser()
  const runs: Run[] = []
  try {
    for (let round = 0; round <= Number(rounds); round++) {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${server.port}/`)
      const run = (await page.evaluate((text) => window.verifyInPage(text), proof)) as Run
      await page.close()
      if (run.results.some((result) => result.endsWith('failed'))) throw new Error(run.results.join(', '))
      // The first round only warms up.
      if (round > 0) runs.push(run)
    }
  } finally {
    await browser.close()
    await server.stop(true)
  }
  const seconds = (pick: (run: Run) => number) => runs.map((run) => pick(run) / 1000)
  const rows = [
    { what: 'first result', values: seconds((run) => run.firstMs), goal: 1 },
    { what: 'all steps', values: seconds((run) => run.allMs), goal: 1.5 },
    { what: 'the signature of a beacon', values: seconds((run) => run.signatureMs), goal: 0.2 },
    { what: 'longest stop of the page', values: seconds((run) => run.longestMs) },
    { what: 'of an idle page', values: seconds((run) => run.idleMs) },
    { what: 'the difference', values: seconds((run) => run.longestMs - run.idleMs), goal: 0.1 },
  ]
  console.log(
    `${count} lines in Chromium, ${rounds} rounds; the verifier is ${Math.round(script.length / 1024)} KiB; seconds, median (range)`,
  )
  printTable(
    rows.map(({ what, values, goal }) => ({
      what,
      seconds: spread(values, 3),
      goal: goal === undefined ? '' : judged(median(values) <= goal, `<= ${goal}`),
    })),
  )
}

/** A proof and its list, of `count` payments of one to five tickets. */
async function sale(count: number): Promise<{ proof: string; ledger: string }> {
  const hash = (text: string) => keccak256(toHex(text))
  let ledger = ledgerHeader
  let ticketNumber = 1
  const lines = Array.from({ length: count }, (_, i) => {
    const ticketCount = 1 + (i % 5)
    const line = {
      ticketNumber,
      ticketCount,
      transactionHash: hash(`transaction ${i}`),
      payer: hash(`payer ${i}`).slice(0, 42) as `0x${string}`,
      value: BigInt(ticketCount) * 3n * 10n ** 18n,
      blockNumber: BigInt(70_000_000 + i),
      transactionIndex: i % 100,
    }
    ledger += ledgerText(line)
    ticketNumber += ticketCount
    return line
  })
  const blocks = Array.from({ length: 5 }, (_, i) => ({
    number: 71_000_000 + i,
    hash: hash(`block ${i}`),
    timestamp: 1_760_000_000 + i,
  }))
  const operatorWallet = `0x${'0f'.repeat(20)}` as const
  const [saleStart, saleEnd, drawDate] = ['2025-09-01', '2025-09-29', '2025-09-30'].map(
    (day) => new Date(`${day}T12:00:00.000Z`),
  ) as [Date, Date, Date]
  const terms = termsLine({
    ...{ book: hash('book'), eventNumber: 1, chainId: 56, token: usdtOnBsc, operatorWallet },
    ...{ anchorWallet: null, ticketPrice: 3n * 10n ** 18n, saleStart, saleEnd, drawDate },
    ...{ minTickets: 100, autoDraw: true, entropy: 'blocks', winners: 1, claimDays: 30 },
    ...{ formerWallets: [], contentSha256: null },
  })
  const list = { sha256: `0x${createHash('sha256').update(ledger).digest('hex')}`, lines: count } as const
  const proof: Proof = {
    ...{ version: 3, terms, list, formerWallets: [], anchors: { terms: null, list: null } },
    ...{ ticketsSold: ticketNumber - 1, blocks, miners: blocks.map(() => operatorWallet) },
    ...{ entropy: 'blocks', beacon: null },
    ...(await fitted({ terms, list, blocks, beacon: null, ticketsSold: ticketNumber - 1 }, lines)),
  }
  return { proof: JSON.stringify(proof), ledger }
}
