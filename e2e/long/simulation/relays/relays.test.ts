import { expect, inject, test } from 'vitest'
import { forFile } from '../../../lab/opened.ts'
import { simulations } from '../seeds.ts'
import { openStage } from '../stage.ts'

/** Five relays, each broken in its way, visitors and dying workers. More: `bun run simulate relays 200`. */
const seeds = Number(process.env.SEEDS ?? 12)

const stage = await forFile(openStage(inject('postgresUrl')))

test.each(Array.from({ length: seeds }, (_, n) => n + 1))(
  'I36: an event is drawn if and only if one honest relay or one visitor delivers its round (seed %i)',
  async (seed) => {
    const { broken, story } = await simulations.relays.playSeed(stage, seed)
    expect(broken, `bun run simulate relays 1 ${seed} --shortest; ${JSON.stringify(story)}`).toEqual([])
  },
  240_000,
)
