import type { Address, Hash } from 'viem'
import { register } from '../../core/chain/register.ts'
import { encodeAnchor } from '../../core/draw/anchor.ts'
import { claimCommitment } from '../../core/prize/claim.ts'
import { getBook } from '../../db/event/terms.ts'
import { readPrizes } from '../../db/prize/prizes.ts'
import { events } from '../../db/schema/index.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'
import { setNextTime } from './chain-verbs.ts'
import type { DrawWorld } from './draw-story.ts'

/** What becomes of the prizes of the story's draw; time is the chain's alone. */
export function prizesOf(world: DrawWorld) {
  const rows = () => readPrizes(world.db, [1])
  /** Final blocks, and what was paid and anchored in them. */
  async function settle(): Promise<void> {
    await world.mine(3)
    await world.scan()
    await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  }
  return {
    rows,
    settle,
    accountOf: (wallet: Address): number =>
      world.accounts.findIndex((one) => one.toLowerCase() === wallet.toLowerCase()),
    /** Second of the story. */
    secondOf: (moment: Date): number => moment.getTime() / 1000 - world.start,
    /** The winners can be claimed by: the drawing has ended. */
    announce: () => world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) }),
    /** `holder place, state`, and the steps behind the draw. */
    told: async () =>
      (await rows()).map(({ holder, state, steps }) =>
        [
          holder ? `${holder.kind} ${holder.place}` : 'nobody',
          state,
          ...steps.slice(1).map(({ step }) => step),
        ].join(', '),
      ),
    /** This account anchors the claim, in a block at this second. */
    async claimOnChain(account: number, second: number): Promise<Hash> {
      const data = encodeAnchor((await getBook(world.db)) as string, 1, claimCommitment)
      await setNextTime(world.url, world.start + second)
      return world.send(account, data, register.address)
    },
    /** Final blocks up to this second, none of them behind it. */
    async reach(second: number): Promise<void> {
      await world.mineAt(second)
      await settle()
    },
  }
}
