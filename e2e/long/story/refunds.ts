import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import type { PublicConfig } from '../../../core/live/public.ts'
import type { RefundKind, RefundRow } from '../../../core/refund/rules.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { heightOf, waitBlockTime } from '../../lab/chain-verbs.ts'
import { transferData, transfersBetween, usdt, usdtGas, usdtUnits } from '../../lab/usdt.ts'
import { endSale } from './draw.ts'
import { payOnPage } from './sale.ts'
import { expectSame, StoryProblem, type World } from './world.ts'

type Desk = { summary: Record<RefundKind, { totalTickets: number; totalAmount: number }>; rows: RefundRow[] }
type Scope = { eventNumber: number; kind: RefundKind }

const desk = ['Admin, refunds', '/admin#refund'] as const
const secondMinimum = 100

/** An event that sells too few tickets, so that all of its money goes back; and what bought nothing in the first one. */
export async function refundSecond(world: World): Promise<void> {
  const { tell, pause } = world
  const drawAt = await openSecond(world)
  const [, , first, , , , , second] = world.accounts as Address[]
  await payOnPage(world, first as Address, 12, { tickets: 4 })
  await payOnPage(world, second as Address, 30, { tickets: 10 })
  tell(`Two buyers, fourteen tickets. It takes ${secondMinimum}.`, ['Recent Purchases', '/#recent'])
  await endSale(world, drawAt)
  const isRefundMode = (config: PublicConfig) => config.isRefundMode && config.refundReason === 'minimum'
  await world.wait('/api/raffle/config', isRefundMode, 'Refund mode')
  tell('The draw date has come, the minimum was missed: refund mode, by rule and by nobody’s choice.', [
    'The notice',
    '/',
  ])
  await pause(5)
  await refund(world, { eventNumber: 2, kind: 'event' }, [
    [first as Address, 12],
    [second as Address, 30],
  ])
  tell(
    'The operator’s wallet has sent both back what they paid, to the cent, each with its transaction.',
    desk,
  )
  await world.picture('refunds')
  await refund(world, { eventNumber: 1, kind: 'leftover' }, [
    [world.accounts[5] as Address, 2],
    [world.accounts[6] as Address, 9],
  ])
  tell(
    'And what bought no ticket in the first raffle: 2 USDT that were too little, 9 that were too late.',
    desk,
  )
}

/** Saving a draw date archives the first event; answers the date of the second one. */
async function openSecond(world: World): Promise<number> {
  const drawAt = (Math.ceil(Date.now() / 1000) + world.stretch(20, 15)) * 1000 + 10_000
  const body = { drawDate: new Date(drawAt).toISOString(), minTicketsForDraw: secondMinimum }
  await world.must('PATCH', '/api/admin/raffle/config', body)
  const isOpen = (found: PublicConfig) => found.eventNumber === 2 && found.minTicketsForDraw === secondMinimum
  const { saleStart } = await world.wait('/api/raffle/config', isOpen, 'The second raffle')
  world.tell('The operator opens the next raffle; the first one stays in the history, with its proof.', [
    'The first one',
    '/e/1/',
  ])
  await waitBlockTime(world.rpcUrl, Date.parse(saleStart))
  return drawAt
}

/**
 * As the desk does it with a wallet that sends one by one: prepare, hand over, send, report, wait until it is final. Whoever
 * watches may have bought too, and is paid with them.
 */
async function refund(
  world: World,
  { eventNumber, kind }: Scope,
  owed: readonly (readonly [Address, number])[],
): Promise<void> {
  const path = `/api/admin/refunds?event=${eventNumber}&kind=${kind}`
  const least = owed.reduce((sum, [, usdt]) => sum + usdt * 100, 0)
  const isOwed = ({ summary }: Desk) => summary[kind].totalAmount >= least
  const { totalTickets, totalAmount } = (await world.wait(path, isOwed, 'What is owed')).summary[kind]
  const since = await heightOf(world.rpcUrl)
  const rows = await prepared(world, { refundInfo: { totalTickets, totalAmount }, kind, eventNumber })
  await send(world, rows)
  const isDone = (desk: Desk) =>
    desk.rows.length >= owed.length && desk.rows.every(({ state }) => state === 'settled')
  await world.wait(path, isDone, 'The refunds are final')
  for (const [to, usdt] of owed) {
    const paid = await transfersBetween(world.rpcUrl, { from: operatorAccount, to, fromBlock: since })
    const units = paid.map((transfer) => `${transfer.units}`)
    expectSame(units, [`${usdtUnits(usdt)}`], `What ${to} has got by the logs of the chain`)
  }
}

/** Refused for a moment while no worker has looked at the operator's wallet yet. */
async function prepared({ call }: World, request: unknown): Promise<RefundRow[]> {
  for (const deadline = Date.now() + 45_000; ; await Bun.sleep(500)) {
    const { status, body } = await call('POST', '/api/admin/raffle/execute-refund', request)
    if (status === 200) return body.refundTransactions
    if (status !== 503 || Date.now() > deadline)
      throw new StoryProblem(`The refunds could not be prepared: ${JSON.stringify(body)}`)
  }
}

async function send({ rpcUrl, must }: World, rows: readonly RefundRow[]): Promise<void> {
  const count = await rpc<Hex>(rpcUrl, 'eth_getTransactionCount', [operatorAccount, 'pending'])
  const nonce = Number(count)
  const ids = rows.map(({ id }) => id)
  const offer = { ids, wallet: operatorAccount, nonce, relayed: false }
  type Offered = RefundRow & { revision: number }
  const { rows: offered } = await must<{ rows: Offered[] }>('POST', '/api/admin/refunds/offer', offer)
  expectSame(offered.length, rows.length, 'Refunds handed to the wallet')
  for (const [index, { id, revision, to, units }] of offered.entries()) {
    const transactionHash = await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [
      {
        ...{ from: operatorAccount, to: usdt, data: transferData(to, BigInt(units)), gas: usdtGas },
        nonce: numberToHex(nonce + index),
      },
    ])
    await must('POST', '/api/admin/refunds/sent', {
      ...{ ids: [id], claims: [{ id, revision }], transactionHash },
    })
  }
}
