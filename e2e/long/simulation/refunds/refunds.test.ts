import { expect, inject, test } from 'vitest'
import { forFile } from '../../../lab/opened.ts'
import { simulations } from '../seeds.ts'
import { openStage } from '../stage.ts'

/** Pages, wallets, blocks and workers in any order after a minimum that was missed. More: `bun run simulate refunds 200`. */
const seeds = Number(process.env.SEEDS ?? 12)

const stage = await forFile(openStage(inject('postgresUrl')))

test.each(Array.from({ length: seeds }, (_, n) => n + 1))(
  'I14-I17: whatever wallets, pages and nodes do, each payer gets what he is owed once (seed %i)',
  async (seed) => {
    const { broken, story } = await simulations.refunds.playSeed(stage, seed)
    expect(broken, `bun run simulate refunds 1 ${seed} --shortest; ${JSON.stringify(story)}`).toEqual([])
  },
  240_000,
)
