import { asc } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { loadPrizes } from '../../db/prize/public.ts'
import { sweepPrizes } from '../../db/prize/turns.ts'
import { events, prizes } from '../../db/schema/index.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import type { DrawWorld } from './draw-story.ts'
import { transferData } from './usdt.ts'

/** What becomes of the prizes of the story's draw; time is the chain's alone. */
export function prizesOf(world: DrawWorld) {
  const rows = () => world.db.select().from(prizes).orderBy(asc(prizes.eventNumber), asc(prizes.place))
  const shown = () => loadPrizes(world.db, [1])
  const accountOf = (wallet: Address): number =>
    world.accounts.findIndex((one) => one.toLowerCase() === wallet.toLowerCase())
  /** Second of the story. */
  const secondOf = (moment: Date): number => moment.getTime() / 1000 - world.start
  async function settle(): Promise<void> {
    await world.mine(3)
    await world.scan()
    await sweepPrizes(world.deps.db)
  }
  return {
    rows,
    shown,
    accountOf,
    secondOf,
    settle,
    /** The winners can be claimed by: the drawing has ended. */
    announce: () => world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) }),
    /** `place holder state`, and the steps behind the draw. */
    told: async () =>
      (await shown()).map(({ holder, state, steps }) =>
        [
          holder ? `${holder.kind} ${holder.place}` : 'nobody',
          state,
          ...steps.slice(1).map(({ step }) => step),
        ].join(', '),
      ),
    /** One unit from this account, in a block at this second. */
    async claimOnChain(account: number, second: number): Promise<Hash> {
      await world.mineAt(second - 1)
      return world.sendAt(second, account, transferData(operatorAccount, 1n))
    },
    /** Final blocks up to this second, none of them behind it. */
    async reach(second: number): Promise<void> {
      await world.mineAt(second)
      await settle()
    },
    sweep: () => sweepPrizes(world.deps.db),
  }
}
