import { expect, inject, test } from 'vitest'
import { forFile } from '../../../lab/opened.ts'
import { simulations } from '../seeds.ts'
import { openStage } from '../stage.ts'

/** Workers that die, a queue that forgets, receivers that fail. More: `bun run simulate notify 200`. */
const seeds = Number(process.env.SEEDS ?? 12)

const stage = await forFile(openStage(inject('postgresUrl')))

test.each(Array.from({ length: seeds }, (_, n) => n + 1))(
  'I41: what has happened is told, whoever dies on the way, and every copy has one key (seed %i)',
  async (seed) => {
    const { broken, story } = await simulations.notify.playSeed(stage, seed)
    expect(broken, `bun run simulate notify 1 ${seed} --shortest; ${JSON.stringify(story)}`).toEqual([])
  },
  240_000,
)
