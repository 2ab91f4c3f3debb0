import type { Address, Hash, Hex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { noteSent } from '../../db/refund/reports.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { prepareRefunds } from '../../worker/refund/prepare.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import type { DrawWorld } from './draw-story.ts'
import { transferData } from './usdt.ts'

/** The refunds of a world: workers, the desk, and a wallet of the operator, an account by its number. */
export function refundsOf(world: DrawWorld, signer = 0) {
  const minUnits = unitsOf(10)
  const wallet = (world.accounts[signer] as Address).toLowerCase() as Address
  const nonce = async () => Number(await rpc<Hex>(world.url, 'eth_getTransactionCount', [wallet, 'pending']))

  /** Folds and watches final blocks, as the workers do. */
  async function settle(): Promise<void> {
    await world.mine(3)
    // A first run may find that the chain changed, a second one continues from there.
    for (let run = 0; run < 2; run++) {
      await world.scan()
      await watchRefunds(world.deps)
    }
  }

  return {
    settle,
    prepare: async (kind: RefundKind): Promise<void> => {
      await world.db.transaction((tx) => writeBatch(tx, { kind, eventNumber: 1, minUnits }))
      await prepareRefunds({ ...world.deps, refundMinUnits: minUnits }, {})
    },
    /** Signs everything that the desk hands out and returns it. */
    send: async (kind: RefundKind): Promise<{ to: string; hash: Hash }[]> => {
      const sent: { to: string; hash: Hash }[] = []
      for (const { row } of await listRefundRows(world.db, { kind, eventNumber: 1 })) {
        const request = { ids: [row.id], wallet, nonce: await nonce(), transactions: 1 }
        for (const { id, to, units } of await world.db.transaction((tx) => offerRefunds(tx, request))) {
          const hash = await world.send(signer, transferData(to, BigInt(units)))
          sent.push({ to: to.toLowerCase(), hash })
          await world.db.transaction((tx) => noteSent(tx, [id], hash))
          await settle()
        }
      }
      return sent
    },
    states: async (kind: RefundKind) =>
      (await listRefundRows(world.db, { kind, eventNumber: 1 })).map(({ row, toSend }) => [
        row.amount,
        row.state,
        toSend.amount,
      ]),
  }
}
