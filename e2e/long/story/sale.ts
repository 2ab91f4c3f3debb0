import type { Address, Hash } from 'viem'
import type { PublicConfig, PurchaseReport } from '../../../core/live/public.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { sendMined, waitBlockTime } from '../../lab/chain-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import { openSafe, type Safe } from '../../lab/safe.ts'
import { mintData, transferData, transfersBetween, usdt, usdtGas, usdtUnits } from '../../lab/usdt.ts'
import { expectSame, StoryProblem, type World } from './world.ts'

/** `tickets` 0 with the reason why there are none. */
type Outcome = { tickets: number; reason?: PurchaseReport['reason'] }

const recent = ['Recent Purchases', '/#recent'] as const
const withoutTicket = ['Admin, money without a ticket', '/admin#blockchain'] as const

/** Buyers of many kinds; answers the contract wallet among them, which may win. */
export async function sell(world: World): Promise<Safe> {
  const [, , one, several, byHand, tooLittle] = world.accounts as Address[]
  const { tell, pause, must } = world
  await must('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 10 })
  const isSaid = (config: PublicConfig) => config.minTicketsForDraw === 10
  await world.wait('/api/raffle/config', isSaid, 'The minimum')
  // The worker names it within seconds; the first ticket locks the terms that were in force when it was paid, a second after they were said.
  const isNamed = ({ anchorWallet }: { anchorWallet: Address | null }) => anchorWallet !== null
  await world.wait('/api/admin/raffle/anchor', isNamed, 'The wallet that records the list')
  await waitBlockTime(world.rpcUrl, Date.now() + 3_000)
  tell('The first raffle is on sale: 3 USDT a ticket, drawn if 10 are sold. Its date will be announced.', [
    'The page',
    '/',
  ])
  await pause(8)

  const number = await payOnPage(world, one as Address, 3, { tickets: 1 })
  tell(`A buyer pays 3 USDT on the page and has ticket #${number}.`, recent)
  await pause(3)
  const first = await payOnPage(world, several as Address, 99, { tickets: 33 })
  tell(`Another one pays 99 USDT at once: tickets #${first} to #${first + 32}.`, recent)
  await pause(3)
  const hash = await payByHand(world.rpcUrl, byHand as Address, 15)
  await expectOutcome(world, hash, { tickets: 5 })
  tell(
    'One sends 15 USDT by hand, and no page tells us: the scan of the chain finds it, five tickets.',
    recent,
  )
  await pause(3)
  const little = await payByHand(world.rpcUrl, tooLittle as Address, 2)
  await expectOutcome(world, little, { tickets: 0, reason: 'underpaid' })
  tell('One sends 2 USDT, too little for a ticket. It is on record and goes back later.', withoutTicket)
  await pause(3)
  const safe = await openSafe(world.rpcUrl)
  await payBySafe(world, safe, 30, { tickets: 10 })
  tell('A contract pays: a Safe of three owners buys ten tickets for 30 USDT.', recent)
  await pause(3)
  return safe
}

/** As the page does: the wallet sends, and the page tells the server the hash. Answers the first ticket's number. */
export async function payOnPage(
  world: World,
  from: Address,
  amount: number,
  outcome: Outcome,
): Promise<number> {
  const transactionHash = await payByHand(world.rpcUrl, from, amount)
  const quantity = Math.max(1, outcome.tickets)
  await world.must('POST', '/api/tickets/purchase', { transactionHash, walletAddress: from, quantity })
  return expectOutcome(world, transactionHash, outcome)
}

/** The server has seen this payment at a final block, and says what came of it: the first ticket's number, 0 without one. */
export async function expectOutcome(
  { wait }: World,
  hash: Hash,
  { tickets, reason = null }: Outcome,
): Promise<number> {
  const isSettled = ({ status }: PurchaseReport) => status === 'credited' || status === 'rejected'
  const found = await wait(`/api/tickets/purchase/${hash}`, isSettled, `The payment ${hash}`)
  const status = tickets > 0 ? 'credited' : 'rejected'
  const facts = { status: found.status, reason: found.reason, tickets: found.payments[0]?.ticketCount }
  expectSame(facts, { status, reason, tickets }, `The payment ${hash}`)
  return found.payments[0]?.ticketNumber ?? 0
}

async function payBySafe(world: World, safe: Safe, amount: number, outcome: Outcome): Promise<void> {
  const { rpcUrl, accounts } = world
  const [from] = accounts as [Address]
  const units = usdtUnits(amount)
  await sendMined(rpcUrl, { from, to: usdt, data: mintData(safe.address, units), gas: usdtGas })
  const { ok } = await safe.execute([{ to: usdt, data: transferData(operatorAccount, units) }])
  if (!ok) throw new StoryProblem('The Safe could not pay.')
  const [paid] = await transfersBetween(rpcUrl, { from: safe.address, to: operatorAccount })
  expectSame(paid?.units, units, 'What the Safe has paid')
  const isThere = ({ payments }: Wallet) => payments[0]?.status === 'credited'
  const { ticketCount } = await world.wait<Wallet>(
    `/api/tickets/wallet/${safe.address}`,
    isThere,
    'The payment of the Safe',
  )
  expectSame(ticketCount, outcome.tickets, 'The tickets of the Safe')
}

type Wallet = { ticketCount: number; payments: { status: string }[] }
