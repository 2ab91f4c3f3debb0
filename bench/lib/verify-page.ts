import { isSignatureOf, quicknet } from '../../core/draw/beacon.ts'
import { readAll } from '../../core/verify/download.ts'
import { type VerifyStep, verifyDraw } from '../../core/verify/verify.ts'

declare global {
  interface Window {
    verifyInPage: (proof: string) => Promise<Record<string, number | string[]>>
  }
}

/** Runs in the browser: checks `/ledger` as it streams in; measures the longest stall, and an idle page's. */
window.verifyInPage = async (proof) => {
  const idle = watchStops()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const idleMs = idle()
  const stops = watchStops()
  const list = (await fetch('/ledger')).body
  if (!list) throw new Error('no list')
  const began = performance.now()
  let firstMs = Number.NaN
  let allMs = Number.NaN
  const results: `${VerifyStep} ${string}`[] = []
  for await (const event of verifyDraw({ proof, list: readAll(list) })) {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - began
    if (event.kind === 'result') results.push(`${event.step} ${event.status}`)
    allMs = performance.now() - began
  }
  const longestMs = stops()
  return { firstMs, allMs, longestMs, idleMs, signatureMs: await timeSignature(), results }
}

/** Round 1000 of drand's quicknet. */
const signature =
  '0xb44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'

/** The first check of a beacon in a page, which also makes the curve's tables. */
async function timeSignature(): Promise<number> {
  const began = performance.now()
  if (!(await isSignatureOf(signature, 1_000, quicknet))) throw new Error('a false signature')
  return performance.now() - began
}

/** Watches the event loop; the returned function stops it and returns the longest stall in milliseconds. */
function watchStops(): () => number {
  let longest = 0
  let last = performance.now()
  let isRunning = true
  const beat = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (isRunning) setTimeout(beat, 0)
  }
  beat()
  return () => {
    isRunning = false
    return longest
  }
}
