import type { Address } from 'viem'
import type { PublicConfig } from '../../../core/live/public.ts'
import { heightOf, waitBlockTime } from '../../lab/chain-verbs.ts'
import { refundEvent } from '../../lab/refunds.ts'
import { transfersBetween, usdtUnits } from '../../lab/usdt.ts'
import { endSale } from './draw.ts'
import { payOnPage } from './sale.ts'
import { expectSame, type World } from './world.ts'

type Row = { state: string }

const desk = ['Admin, refunds', '/admin#refund'] as const
const secondMinimum = 100

/** An event that sells too few tickets, so that all of its money goes back; and what bought nothing in the first one. */
export async function refundSecond(world: World): Promise<void> {
  const { tell, pause, accounts } = world
  const drawAt = await openSecond(world)
  const [, , first, , , little, late, second] = accounts as Address[]
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
  await refund(world, 2, [
    [first as Address, 12],
    [second as Address, 30],
  ])
  tell(
    'One call of the register sent both back what they paid, to the cent; it could not pay them twice.',
    desk,
  )
  await refund(world, 1, [
    [little as Address, 2],
    [late as Address, 9],
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

/** As the desk does it, out of a wallet that is none of the raffle's. Whoever watches may have bought too, and is paid with them. */
async function refund(
  { call, wait, rpcUrl, accounts }: World,
  eventNumber: number,
  owed: readonly (readonly [Address, number])[],
): Promise<void> {
  const from = accounts[8] as Address
  const path = `/api/admin/refunds?event=${eventNumber}`
  await wait<Row[]>(path, (rows) => rows.length >= owed.length, 'What is owed')
  const since = await heightOf(rpcUrl)
  await refundEvent(call, rpcUrl, { eventNumber, from })
  const isDone = (rows: Row[]) => rows.every(({ state }) => state === 'settled')
  await wait<Row[]>(path, isDone, 'The refunds are final')
  for (const [to, usdt] of owed) {
    const paid = await transfersBetween(rpcUrl, { from, to, fromBlock: since })
    const units = paid.map((transfer) => `${transfer.units}`)
    expectSame(units, [`${usdtUnits(usdt)}`], `What ${to} has got by the logs of the chain`)
  }
}
