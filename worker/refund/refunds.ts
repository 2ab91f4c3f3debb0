import type { Logger } from 'pino'
import type { Address, Hash, Hex } from 'viem'
import { isTemporary } from '../../core/errors.ts'
import { encodeIsValidSignature, isMagicValue } from '../../core/event/wallet-proof.ts'
import { isContractCode } from '../../core/refund/rules.ts'
import { getScanCursor, noteBooks, unreadWallet } from '../../db/event/sale.ts'
import { getBook } from '../../db/event/terms.ts'
import { answerWalletProof, openWalletProofs } from '../../db/event/wallet-proofs.ts'
import { unseenHolders } from '../../db/prize/claims.ts'
import {
  addTransfers,
  dueWallets,
  getOutgoingCursor,
  noteCodes,
  noteFinal,
  type Outgoing,
  openReports,
  recordOutgoing,
  uncheckedPayers,
  wantedTransfers,
} from '../../db/refund/facts.ts'
import { noteSolvency, type SolvencyPlace, solvencyPlace } from '../../db/report/solvency.ts'
import { isReplaced } from '../chain/finality.ts'
import type { Chain } from '../chain/index.ts'
import type { Reading, TimedPaid } from '../chain/logs.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'
import { cursorAt } from '../payment/rewind.ts'

export type RefundDeps = Deps & {
  /** What one payer is owed below this is dust: his code is not asked for. */
  refundMinUnits: bigint
}

/** A part of the work; true where more of it is left than was done at once. */
type Part = (deps: RefundDeps) => Promise<unknown>

/** What refunds follow from and somebody waits for; a part that fails does not stop the others. True where
 * more is left. Safe to run twice: facts are written with their cursor. */
export async function watchRefunds(deps: RefundDeps): Promise<boolean> {
  const parts: Part[] = [
    checkWalletProofs,
    checkBooks,
    checkHolders,
    checkPayers,
    readOutgoing,
    readWanted,
    noteReports,
    readSolvency,
  ]
  let isMoreLeft = false
  let failure: unknown
  for (const part of parts) {
    const isLeft = await part(deps).catch((error: unknown) => {
      if (!isTemporary(error)) throw error
      failure ??= error
    })
    if (isLeft === true) isMoreLeft = true
  }
  if (failure) throw failure
  return isMoreLeft
}

/** After so many steps whoever waits for another part has his turn. */
const stepsAtOnce = 20

/** What our wallets sent, the register paid and anybody anchored, up to the block that payments are folded to. */
async function readOutgoing({ db, chain, log, clock }: RefundDeps): Promise<boolean> {
  for (let step = 0; step < stepsAtOnce; step++) {
    // The cursor first: a wallet that is not among those read after it is ours since a later block.
    const scanned = await getScanCursor(db)
    const [{ wallets, tokens, since }, book] = await Promise.all([dueWallets(db), getBook(db)])
    if (!since || !book || !scanned || wallets.length === 0) return false
    const before = await getOutgoingCursor(db)
    if (before?.hash === scanned.hash) return false
    const head = await chain.finalized()
    const from = before
      ? before.height + 1n
      : await firstBlockSince(chain, since.getTime() / 1000, head, 0n, clock)
    if (from > scanned.height || head.number < scanned.height) return false
    const watch = { tokens, wallets, outgoing: { book } }
    const reading = await chain.transfers(watch, { from, to: scanned.height, head: head.number })
    // The scan goes back, and takes back what was read here. Near the head it is told without a question.
    const isKnown = !before || reading.parent === before.hash
    if (!isKnown && (reading.parent || (await isReplaced(chain, before, head)))) return false
    const after = cursorAt(reading.end)
    const found = toOutgoing(reading)
    if (!(await recordOutgoing(db, before, after, found))) return false
    const [paid, anchors] = [found.transfers.filter(({ total }) => total).length, found.anchors.length]
    const transfers = found.transfers.length - paid
    if (transfers + paid + anchors > 0)
      log.info({ toBlock: Number(after.height), transfers, paid, anchors }, 'outgoing money read')
  }
  return true
}

/** Transfers that an administrator has marked and no reading has found: of another wallet than ours, or taken by a reorg. */
async function readWanted({ db, chain }: RefundDeps): Promise<void> {
  const [wanted, book, cursor] = await Promise.all([wantedTransfers(db), getBook(db), getOutgoingCursor(db)])
  if (wanted.length === 0 || !book || !cursor) return
  const { tokens } = await dueWallets(db)
  const head = await chain.finalized()
  for (const { transactionHash, wallet, recipient } of wanted) {
    const { blockNumber } = (await chain.agreedReceipt(transactionHash)) ?? {}
    // Above the cursor nobody would see that its block was replaced.
    if (blockNumber === undefined || blockNumber > cursor.height) continue
    const watch = { tokens, wallets: [wallet], outgoing: { book } }
    const block = await chain.transfers(watch, { from: blockNumber, to: blockNumber, head: head.number })
    const transfers = block.transfers.filter(
      (sent) => sent.transactionHash === transactionHash && sent.to === recipient,
    )
    await addTransfers(db, toOutgoing({ transfers, paid: [], anchors: [] }).transfers)
  }
}

/** One wallet serves one house at a time: its first event sells only once somebody has typed that another one is over. */
async function checkBooks({ db, chain, log }: RefundDeps): Promise<void> {
  const wallet = await unreadWallet(db)
  if (!wallet) return
  const { number } = await chain.finalized()
  const [book, books] = [await getBook(db), await chain.booksOf(wallet, number)]
  const other = books.find((one) => one.toLowerCase() !== book)
  await noteBooks(db, wallet, other !== undefined)
  if (other) log.fatal({ wallet, book: other }, 'the register knows the operator wallet under another book')
}

const payersAtOnce = 500

/** Whether a payer is a contract: the money may not reach who paid through it. */
async function checkPayers(deps: RefundDeps): Promise<boolean> {
  const payers = await uncheckedPayers(deps.db, deps.refundMinUnits, payersAtOnce)
  await readCodes(deps, payers)
  return payers.length === payersAtOnce
}

async function readCodes({ db, chain }: Reader, payers: readonly Address[]): Promise<void> {
  if (payers.length === 0) return
  const codes = await chain.codes(payers, await chain.stateBlock())
  await noteCodes(
    db,
    payers.map((payer, index) => ({ payer, isContract: isContractCode(codes[index]) })),
  )
}

type Reader = Pick<Deps, 'db' | 'chain'>

/** A reported transaction is on its way until what it paid is on record. */
async function noteReports({ db, chain }: RefundDeps): Promise<void> {
  const cursor = await getOutgoingCursor(db)
  for (const hash of cursor ? await openReports(db) : []) {
    const receipt = await chain.agreedReceipt(hash)
    if (receipt && cursor && receipt.blockNumber <= cursor.height) await noteFinal(db, hash)
  }
}

/** What our wallets hold where both payments and outgoing money are on record. */
async function readSolvency({ db, chain, log }: RefundDeps): Promise<void> {
  const place = await solvencyPlace(db)
  const held = place && (await heldAt(chain, place).catch(notTold(log)))
  if (place && held !== undefined) await noteSolvency(db, { ...place, held })
  else if (await getBook(db)) await noteSolvency(db, 'unread')
}

async function heldAt(chain: Chain, { wallets, tokens, block }: SolvencyPlace): Promise<bigint> {
  const ask = (token: Address) => chain.tokenBalances({ token, wallets, blockHash: block.hash })
  return (await Promise.all(tokens.map(ask))).flat().reduce((sum, units) => sum + units, 0n)
}

const notTold =
  (log: Logger) =>
  (err: unknown): undefined => {
    if (!isTemporary(err)) throw err
    log.warn({ err }, 'no two endpoints have told what the wallets hold')
  }

/** All of one wallet to one address in one transaction is one fact. */
const toOutgoing = ({
  transfers,
  paid,
  anchors,
}: Pick<Reading, 'transfers' | 'paid' | 'anchors'>): Outgoing => ({
  transfers: [
    ...summed(
      transfers.map(({ from, to, value, ...log }) => ({ ...log, wallet: from, recipient: to, units: value })),
    ),
    ...summed(paid.map(({ debtor, ...log }) => ({ ...log, recipient: debtor }))),
  ],
  anchors,
})

type Sent = Omit<TimedPaid, 'book' | 'debtor' | 'total'> & { recipient: Address; total?: bigint }

/** What is no sum is that of the last log: they come in chain order. */
function summed<T extends Sent>(logs: readonly T[]) {
  const keyOf = (log: T) => `${log.transactionHash} ${log.wallet} ${log.recipient} ${log.token}`
  return [...Map.groupBy(logs, keyOf).values()].map((group) => ({
    ...(group.at(-1) as T),
    units: group.reduce((sum, { units }) => sum + units, 0n),
    firstLogIndex: (group[0] as T).logIndex,
    blockTime: new Date((group[0] as T).blockTime * 1000),
  }))
}

/** Reads once for each holder of a prize whether a contract signs for him: of other wallets nobody asks the
 * chain about a signature. A delegated account (EIP-7702) has its own key. Safe to run twice. @internal */
export const checkHolders = async (deps: Reader): Promise<void> =>
  readCodes(deps, await unseenHolders(deps.db))

/** ERC-1271: the signer is a contract, and only the contract knows whether the signature is its own. It may
 * be a stranger's: a signature on which the nodes differ stays open, and the others are answered. @internal */
export async function checkWalletProofs({ db, chain, log }: Reader & Pick<Deps, 'log'>): Promise<void> {
  for (const { id, wallet, digest, signature } of await openWalletProofs(db)) {
    const isGood = await accepts(chain, wallet, digest, signature).catch((err: unknown) => {
      if (!isTemporary(err)) throw err
      log.warn({ err, wallet }, 'a contract could not be asked about a signature')
      return undefined
    })
    if (isGood !== undefined) await answerWalletProof(db, id, isGood)
  }
}

async function accepts(chain: Chain, signer: Address, digest: Hash, signature: Hex): Promise<boolean> {
  const call = { to: signer, data: encodeIsValidSignature(digest, signature) }
  const answer = await chain.call(call, await chain.stateBlock())
  return answer !== undefined && isMagicValue(answer)
}
