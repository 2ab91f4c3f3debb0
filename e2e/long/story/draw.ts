import { type Address, type Hash, type Hex, isAddressEqual, numberToHex, sha256, stringToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { register } from '../../../core/chain/register.ts'
import { commitmentOf } from '../../../core/draw/anchor.ts'
import { randomnessOf } from '../../../core/draw/beacon.ts'
import { blockSeedOf, drawWinner, firstSeed } from '../../../core/draw/draw.ts'
import type { Proof } from '../../../core/draw/proof.ts'
import type { PublicDrawStatus } from '../../../core/live/public.ts'
import { parseLedgerLine } from '../../../core/payment/ledger.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { waitBlockTime } from '../../lab/chain-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import type { Safe } from '../../lab/safe.ts'
import { expectOutcome } from './sale.ts'
import { expectSame, StoryProblem, type World } from './world.ts'

const winnerSection = ['The Winner section', '/#winner'] as const
const leadMs = 10_000

/** Waits for the end of the sale of an event that is drawn then, and for its list. */
export async function endSale(world: World, drawAt: number): Promise<void> {
  await waitBlockTime(world.rpcUrl, drawAt - leadMs)
  const isFrozen = ({ frozenAt }: { frozenAt: string | null }) => frozenAt !== null
  await world.wait('/api/admin/raffle/config', isFrozen, 'The list is frozen')
}

/** From the draw date on paper to the winner, whom it answers. */
export async function drawFirst(world: World): Promise<Address> {
  const { tell, wait, stretch } = world
  const drawAt = (Math.ceil(Date.now() / 1000) + stretch(12, 5)) * 1000 + leadMs
  await world.must('PATCH', '/api/admin/raffle/config', { drawDate: new Date(drawAt).toISOString() })
  tell('The operator sets the draw date, which nobody can move from now on. Every page counts down.', [
    'The countdown',
    '/',
  ])
  await waitBlockTime(world.rpcUrl, drawAt - leadMs)
  const late = await payByHand(world.rpcUrl, world.accounts[6] as Address, 9)
  tell(
    'The sale has ended, and somebody pays 9 USDT all the same: too late, no ticket, it goes back later.',
    ['The sale is closed', '/#buy'],
  )
  await endSale(world, drawAt)
  const ledger = await readLedger(world)
  tell(`The list of ${ledger.tickets} tickets is frozen: SHA-256 ${short(ledger.sha256)}`, [
    'The list',
    '/api/raffle/ledger/1',
  ])
  await expectAnchor(world, ledger.sha256)
  await expectOutcome(world, late, { tickets: 0, reason: 'late' })

  const isBlocksFinal = ({ blockSeed }: PublicDrawStatus) => blockSeed !== null
  await wait('/api/raffle/draw-status', isBlocksFinal, 'The five blocks are final')
  tell(
    'The draw date has come: five block hashes that nobody could choose. They are shown at once.',
    winnerSection,
  )
  tell(
    'A round of the beacon is mixed in, due a minute after the draw date: until then nobody knows the winner.',
  )
  const isDrawing = (status: PublicDrawStatus) => status.isDrawing
  await wait('/api/raffle/draw-status', isDrawing, 'The draw begins', 120_000)
  tell('The round is there. The draw begins: every open page shows the drum.', ['The overlay', '/'])
  await world.picture('draw')
  const winner = await wait<Winner | null>('/api/raffle/winner', (found) => found !== null, 'A winner')
  const proof = await expectProof(world, ledger)
  expectSame(winner?.walletAddress.toLowerCase(), proof.winner.walletAddress, 'The announced winner')
  tell(
    `Ticket #${proof.winningTicket} wins. It follows from blocks and round alone, worked out here once more.`,
    winnerSection,
  )
  await world.picture('winner')
  return proof.winner.walletAddress
}

type Winner = { walletAddress: Address }
type Ledger = { text: string; sha256: Hex; tickets: number }

const short = (hash: Hex): string => `${hash.slice(0, 10)}…${hash.slice(-8)}`

async function readLedger({ call, must }: World): Promise<Ledger> {
  const { ticketsSold } = await must<{ ticketsSold: number }>('GET', '/api/raffle/stats')
  const { status, body } = await call('GET', '/api/raffle/ledger/1')
  if (status !== 200) throw new StoryProblem(`The list of the tickets was answered with ${status}.`)
  const text = typeof body === 'string' ? body : ''
  const lines = text.trim().split('\n').slice(1)
  const tickets = lines.reduce((sum, line) => sum + (parseLedgerLine(line)?.ticketCount ?? Number.NaN), 0)
  expectSame(tickets, ticketsSold, 'The tickets on the list')
  return { text, tickets, sha256: sha256(stringToHex(text)) }
}

/** A transaction of the register that carries the commitment to list and terms, in a block before the draw date. */
async function expectAnchor(world: World, ledgerSha256: Hex): Promise<void> {
  const { terms } = await world.config()
  const commitment = commitmentOf(terms, ledgerSha256)
  type Anchor = { list: { transactionHash: Hash | null } | null }
  const isThere = ({ list }: Anchor) => list?.transactionHash != null
  const { list } = await world.wait('/api/admin/raffle/anchor', isThere, 'The list is anchored')
  type Receipt = { logs: { address: Address; data: Hex }[] }
  const { logs } = await rpc<Receipt>(world.rpcUrl, 'eth_getTransactionReceipt', [list?.transactionHash])
  expectSame(
    logs.map(({ address, data }) => [address.toLowerCase(), data]),
    [[register.address.toLowerCase(), commitment]],
    'What the anchor says on the chain',
  )
  world.tell('Its fingerprint stands on the chain before the draw: from now on nobody can change the list.', [
    'Admin, draw',
    '/admin#winner',
  ])
}

/** Works the winner out from the chain's own hashes, and finds him on the list. */
async function expectProof({ must, rpcUrl }: World, ledger: Ledger): Promise<Proof> {
  const proof = await must<Proof>('GET', '/api/raffle/proof/1')
  const hashes = await Promise.all(
    proof.blocks.map(async ({ number }) => {
      const block = await rpc<{ hash: Hash }>(rpcUrl, 'eth_getBlockByNumber', [numberToHex(number), false])
      return block.hash
    }),
  )
  if (!proof.beacon) throw new StoryProblem('The proof names no round of the beacon.')
  const randomness = randomnessOf(proof.beacon.signature)
  const seed = firstSeed(blockSeedOf(hashes), { randomness, ledgerSha256: ledger.sha256 })
  const { winningTicket } = drawWinner(seed, ledger.tickets)
  expectSame(proof.winningTicket, winningTicket, 'The winning ticket')
  const lines = ledger.text.trim().split('\n').slice(1).map(parseLedgerLine)
  const holder = lines.find(
    (line) =>
      line && line.ticketNumber <= winningTicket && winningTicket < line.ticketNumber + line.ticketCount,
  )
  expectSame(proof.winner.walletAddress, holder?.payer, 'Who holds the winning ticket')
  return proof
}

const mnemonic = 'test test test test test test test test test test test junk'

/** The winner signs the message of the site (EIP-4361) with the key that paid, as the page has him do. */
export async function claim(world: World, winner: Address, safe: Safe): Promise<void> {
  type Asked = { message: string; walletAddress: Address }
  const isHis = ({ walletAddress }: Asked) => isAddressEqual(walletAddress, winner)
  const { message } = await world.wait<Asked>('/api/raffle/claim/1', isHis, 'The winner can claim')
  const signature = await signatureOf(world, { winner, safe, message })
  const claimed = await world.must<{ code: string }>('POST', '/api/raffle/claim', {
    ...{ eventNumber: 1, message, signature },
  })
  const checked = await world.must<{ isValid: boolean }>('POST', '/api/admin/raffle/claim-code', {
    ...{ eventNumber: 1, code: claimed.code },
  })
  expectSame(checked.isValid, true, 'The code of the winner')
  const isClaimed = ([prize]: PublicPrize[]) => prize?.state === 'claimed'
  await world.wait('/api/raffle/prizes', isClaimed, 'The prize is claimed')
  const who = isAddressEqual(winner, safe.address)
    ? 'The Safe has won: two of its owners sign for the wallet that paid, and get'
    : 'The winner signs with the wallet that paid, and gets'
  world.tell(`${who} the code ${claimed.code} for the delivery form.`, [
    'What became of the prize',
    '/#winner',
  ])
}

async function signatureOf(
  { accounts }: World,
  { winner, safe, message }: { winner: Address; safe: Safe; message: string },
): Promise<Hex> {
  if (isAddressEqual(winner, safe.address)) return safe.signMessage(message)
  const addressIndex = accounts.findIndex((account) => isAddressEqual(account, winner))
  if (addressIndex < 0) throw new StoryProblem(`Nobody here has the key of ${winner}.`)
  return mnemonicToAccount(mnemonic, { addressIndex }).signMessage({ message })
}
