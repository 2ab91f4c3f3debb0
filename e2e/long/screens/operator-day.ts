import { mkdirSync } from 'node:fs'
import { type Language, languages } from '../../../core/admin/language.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { openBrowser } from '../../lab/browser.ts'
import { createWallet } from '../../lab/wallet.ts'
import { account } from './day/account.ts'
import { drawDay } from './day/draw-day.ts'
import { firstHour } from './day/first-hour.ts'
import { createOperator } from './day/operator.ts'
import { openPlace } from './day/place.ts'
import { refundDay } from './day/refund-day.ts'
import { sale } from './day/sale.ts'

/**
 * `bun e2e/long/screens/operator-day.ts OUTDIR [languages] [widths]`: an operator's day at the dashboard, from the printed
 * password to the last refund, tried in each language on a house of its own, with a picture of every step. What can be
 * measured in a picture is told at the end; exit code 1 if there is any of it.
 */
const [outDir, chosen = 'en,ko', widths = '1440,390'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/long/screens/operator-day.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const faults: string[] = []
for (const language of languages.filter((one) => chosen.split(',').includes(one)))
  faults.push(...(await play(language, outDir)))
for (const fault of faults) console.log(fault)
process.exit(faults.length > 0 ? 1 : 0)

async function play(language: Language, out: string): Promise<string[]> {
  const place = await openPlace()
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(60_000)
    const wallet = createWallet({ accounts: [operatorAccount], rpcUrl: place.stack.chain.url })
    await wallet.install(context)
    const page = await context.newPage()
    const sizes = widths.split(',').map(Number)
    const day = createOperator({ page, language, out, widths: sizes, url: place.stack.url })
    try {
      for (const part of [firstHour, sale, drawDay, refundDay, account]) {
        await part(day, place)
        console.log(`${language}: ${part.name}`)
      }
    } catch (error) {
      await page.screenshot({ path: `${out}/${language}-stuck.png`, fullPage: true })
      for (const fault of day.faults) console.log(`${language} ${fault}`)
      throw error
    }
    const errors = place.stack.errors().map((line) => `Logged: ${line}`)
    return [...day.faults, ...errors].map((fault) => `${language} ${fault}`)
  } finally {
    await browser.close()
    await place.close()
  }
}
