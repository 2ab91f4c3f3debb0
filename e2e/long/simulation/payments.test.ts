import { expect, inject, test } from 'vitest'
import { forFile } from '../../lab/opened.ts'
import { play } from './play.ts'
import { regressions } from './regressions.ts'
import { playSeed } from './seeds.ts'
import { openStage } from './stage.ts'

/** Random stories of payments, lies, replaced blocks and workers that die; many more: `bun run simulate 1000`. */
const seeds = Number(process.env.SEEDS ?? 12)

const stage = await forFile(openStage(inject('postgresUrl')))

test.each(Array.from({ length: seeds }, (_, n) => n + 1))(
  'I1-I10, I15, I17, I27, I31: after any sequence of faults and lies the records equal the chain (seed %i)',
  async (seed) => {
    const { broken, story } = await playSeed(stage, seed)
    expect(broken, `bun run simulate 1 ${seed} --shortest; ${JSON.stringify(story)}`).toEqual([])
  },
  240_000,
)

test.each(regressions)('I5: it does not happen again that $name', async (story) => {
  expect(await play(stage, story)).toEqual([])
})
