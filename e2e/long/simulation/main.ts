import { ownPostgres } from '../../../bench/lib/database.ts'
import { type Outcome, playSeed } from './seeds.ts'
import { openStage } from './stage.ts'

/**
 * `bun run simulate [seeds] [from] [--shortest]`: plays so many seeds, two at a time, and prints each one's steps, time and broken
 * invariants; exit 1 if there is any. A failing seed is played again by `bun run simulate 1 SEED --shortest`, which looks
 * for the shortest story that fails.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const [count = 100, from = 1] = words.map(Number)
const shortest = process.argv.includes('--shortest')
if (![count, from].every((number) => Number.isSafeInteger(number) && number >= 1)) {
  console.error('bun run simulate [seeds] [from] [--shortest]: both are whole numbers from 1 on.')
  process.exit(2)
}
const began = performance.now()
const postgres = await ownPostgres({ durable: false })
let next = from
const failed: Outcome[] = []
try {
  await Promise.all([playOn(), playOn()])
} finally {
  await postgres.close()
}
const broken = failed.reduce((sum, outcome) => sum + outcome.broken.length, 0)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${count} of ${count} seeds, ${seconds} s, ${broken} broken invariants`)
if (failed.length > 0) console.log(`failed: ${failed.map(({ seed }) => seed).join(' ')}`)
process.exit(failed.length > 0 ? 1 : 0)

/** Plays seeds on a stage of its own until there are none left. */
async function playOn(): Promise<void> {
  const stage = await openStage(postgres.url)
  while (next < from + count) report(await playSeed(stage, next++, { shortest }))
  await stage.close()
}

function report(outcome: Outcome): void {
  const { seed, endpoints, steps, ms, broken } = outcome
  const facts = `seed ${seed}: ${endpoints} endpoint${endpoints === 1 ? '' : 's'}, ${steps} steps, ${(ms / 1000).toFixed(1)} s`
  console.log(`${facts}, ${broken.length === 0 ? 'holds' : 'broken:'}`)
  if (broken.length === 0) return
  failed.push(outcome)
  for (const { name, saw } of broken) console.log(`  ${name}: ${saw}`)
  console.log(`  ${JSON.stringify(outcome.story)}`)
}
