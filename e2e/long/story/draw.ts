import { type Address, type Hash, type Hex, isAddressEqual } from 'viem'
import type { Proof } from '../../../core/draw/proof.ts'
import type { PublicConfig, PublicDrawStatus } from '../../../core/live/public.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { verifyCommand } from '../../../infra/cli/verify/command.ts'
import { beaconPath } from '../../../infra/local/site-server.ts'
import { accountAt, waitBlockTime } from '../../lab/chain-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import type { Safe } from '../../lab/safe.ts'
import { expectOutcome } from './sale.ts'
import { expectSame, StoryProblem, type World } from './world.ts'

const winnerSection = ['The Winner section', '/#winner'] as const
const leadMs = 10_000

type Config = { frozenAt: string | null; ledgerSha256: Hex; ticketsSold: number }

/** Waits for the end of the sale of an event that is drawn then, and for its list. */
export async function endSale(world: World, drawAt: number): Promise<Config> {
  await waitBlockTime(world.rpcUrl, drawAt - leadMs)
  const isFrozen = ({ frozenAt }: Config) => frozenAt !== null
  return world.wait('/api/admin/raffle/config', isFrozen, 'The list is frozen')
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
  const { ledgerSha256, ticketsSold } = await endSale(world, drawAt)
  tell(`The list of ${ticketsSold} tickets is frozen: SHA-256 ${short(ledgerSha256)}`, [
    'The list',
    '/api/raffle/ledger/1',
  ])
  type Anchor = { list: { transactionHash: Hash | null } | null }
  const isAnchored = ({ list }: Anchor) => list?.transactionHash != null
  await wait('/api/admin/raffle/anchor', isAnchored, 'The list is anchored')
  tell('Its fingerprint stands on the chain before the draw: from now on nobody can change the list.', [
    'Admin, draw',
    '/admin#winner',
  ])
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
  const winner = await wait<Winner | null>('/api/raffle/winner', (found) => found !== null, 'A winner')
  const proof = await verified(world)
  expectSame(winner?.walletAddress.toLowerCase(), proof.winner.walletAddress, 'The announced winner')
  tell(
    `Ticket #${proof.winningTicket} wins. It follows from blocks and round alone: the verifier has found it once more.`,
    winnerSection,
  )
  return proof.winner.walletAddress
}

type Winner = { walletAddress: Address }

const short = (hash: Hex): string => `${hash.slice(0, 10)}…${hash.slice(-8)}`

/** The proof, in which `bun run verify` finds every step right with the chain alone. */
async function verified({ must, url, rpcUrl }: World): Promise<Proof> {
  const { terms } = await must<PublicConfig>('GET', '/api/raffle/config')
  const proof = await must<Proof>('GET', '/api/raffle/proof/1')
  const info = `${beaconPath}/${proof.beacon?.chainHash.slice(2)}/info`
  const { public_key: key } = await must<{ public_key: string }>('GET', info)
  const said: string[] = []
  const place = ['--site', url, '--event', '1', '--rpc', rpcUrl]
  const code = await verifyCommand([...place, '--terms', terms, '--beacon-key', key], (line) =>
    said.push(line),
  )
  if (code !== 0) throw new StoryProblem(`The verifier ended with ${code}:\n${said.join('\n')}`)
  return proof
}

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
  return accountAt(addressIndex).signMessage({ message })
}
