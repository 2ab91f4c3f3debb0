import { playSeed } from './seeds.ts'
import { openStage, type Stage } from './stage.ts'

/** One process of `main.ts`: gets seeds, and tells how each of them went. */
type Order = { postgresUrl: string } | { seed: number; shortest: boolean } | 'end'

let stage: Stage | undefined
process.on('message', async (order: Order) => {
  if (order === 'end') {
    await stage?.close()
    process.exit(0)
  }
  if ('postgresUrl' in order) {
    stage = await openStage(order.postgresUrl)
    process.send?.('ready')
  } else if (stage) process.send?.(await playSeed(stage, order.seed, order))
})
