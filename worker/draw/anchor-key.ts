import { type Address, concat, type Hex, keccak256, pad } from 'viem'
import { deployer, register } from '../../core/chain/register.ts'
import {
  type AnchorKeyReport,
  anchorGas,
  anchorsLeft,
  encodeAnchor,
  fewAnchors,
} from '../../core/draw/anchor.ts'
import {
  dueAnchor,
  isSamePurpose,
  lastSend,
  noteSend,
  readAnchorKey,
  type SendPurpose,
  takeAnchorWallet,
} from '../../db/draw/anchors.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import { isShut } from '../../db/event/shut.ts'
import { getBook } from '../../db/event/terms.ts'
import { getOutgoingCursor } from '../../db/refund/facts.ts'
import { saveReport } from '../../db/report/health.ts'
import raffleRegister from '../../infra/contracts/raffle-register.json' with { type: 'json' }
import type { Deps } from '../deps.ts'

/** The key of ANCHOR_KEY, as viem's account has it. */
type Signer = {
  address: Address
  signTransaction: (transaction: {
    type: 'legacy'
    chainId: number
    nonce: number
    gasPrice: bigint
    gas: bigint
    to: Address
    data: Hex
  }) => Promise<Hex>
}
export type KeyDeps = Deps & { signer: Signer; chainId: number }

/** A transaction that is in no block by then is sent again at a higher price. */
const stuckMs = 15_000
/** One that was just sent is left alone. */
const restMs = 3_000
/** Below the lowest price of BNB Smart Chain no node takes one; above the highest nobody's word is followed. */
const [lowestPrice, highestPrice] = [50_000_000n, 10_000_000_000n]
const deployGas = 2_000_000n
const [lookEverySeconds, lookSoonSeconds] = [240, 10]

/** Every two seconds: takes the key as anchor wallet, looks at its balance, deploys the register where it is
 * missing, and anchors. Safe for many workers: a transaction is written down before it is sent. */
export async function tendAnchorKey(deps: KeyDeps): Promise<void> {
  const { db, signer } = deps
  if (await isShut(db)) return
  const wallet = signer.address.toLowerCase() as Address
  await takeAnchorWallet(db, wallet)
  const key = await lookAtKey(deps, wallet)
  if (!key || isPoor(key)) return
  if (key.register === 'missing') return key.isNew ? send(deps, wallet, null) : undefined
  const due = key.register === 'there' ? await dueAnchor(db, wallet) : undefined
  if (due) await send(deps, wallet, due)
}

/** As it was last seen; undefined before the first block was read. Asked for now and then, more often where it lacks something. */
async function lookAtKey(
  { db, chain, log }: KeyDeps,
  wallet: Address,
): Promise<(AnchorKeyReport & { isNew: boolean }) | undefined> {
  const last = await readAnchorKey(db)
  if (last?.facts.address === wallet) {
    const lacks = isPoor(last.facts) || last.facts.register === 'missing'
    if (last.secondsAgo < (lacks ? lookSoonSeconds : lookEverySeconds)) return { ...last.facts, isNew: false }
  }
  const cursor = await getScanCursor(db)
  if (!cursor) return undefined
  const [[balance = 0n], [code = '0x'], gasPrice] = await Promise.all([
    chain.balances([wallet], cursor.height),
    chain.codes([register.address], cursor.height),
    chain.gasPrice(),
  ])
  const report: AnchorKeyReport = {
    address: wallet,
    balanceWei: `${balance}`,
    gasPriceWei: `${boundPrice(gasPrice)}`,
    register: code === '0x' ? 'missing' : keccak256(code) === register.codeHash ? 'there' : 'other',
  }
  await saveReport(db, 'anchorKey', report)
  if (anchorsLeft(report) < fewAnchors)
    log.warn({ wallet, balanceWei: report.balanceWei }, 'the anchor key needs gas')
  if (report.register === 'other')
    log.fatal({ address: register.address }, 'another contract lies where the register is')
  return { ...report, isNew: true }
}

const isPoor = (report: AnchorKeyReport): boolean => anchorsLeft(report) < 1

const boundPrice = (price: bigint): bigint =>
  price < lowestPrice ? lowestPrice : price > highestPrice ? highestPrice : price

/** Sends it, or sends it again. The nonce is taken at the block up to which anchors are read, so that none of
 * them is sent a second time. */
async function send(deps: KeyDeps, wallet: Address, purpose: SendPurpose): Promise<void> {
  const { db, chain, log } = deps
  const [cursor, book] = await Promise.all([purpose ? getOutgoingCursor(db) : getScanCursor(db), getBook(db)])
  if (!cursor || (purpose && !book)) return
  const [nonce = 0] = await chain.nonces([wallet], cursor.height)
  // A register that was deployed and does not lie where it should would be paid for again and again.
  if (!purpose && (await lastSend(db, wallet, nonce - 1))?.eventNumber === null) return
  const last = await lastSend(db, wallet, nonce)
  const isAgain = last !== undefined && isSamePurpose(last, purpose)
  if (isAgain && last.ageMs < restMs) return
  const gasPrice = isAgain && last.ageMs < stuckMs ? last.gasPrice : await nextPrice(deps, last)
  const signed = await sign(deps, { nonce, gasPrice, gas: purpose ? anchorGas : deployGas, purpose, book })
  const transactionHash = keccak256(signed)
  if (last?.transactionHash !== transactionHash) {
    const attempt = last ? last.attempt + 1 : 0
    // Another worker was first: what it sends is as good.
    if (!(await noteSend(db, { wallet, nonce, attempt, gasPrice, transactionHash, purpose }))) return
  }
  const refusals = await chain.send(signed)
  const facts = { nonce, transactionHash, gasPriceWei: `${gasPrice}`, ...purpose, refusals }
  log.info(facts, purpose ? 'anchor sent to the chain' : 'register sent to the chain')
}

/** What is asked for now; to take the place of another transaction, a quarter more than that one paid. */
async function nextPrice({ chain }: KeyDeps, last: { gasPrice: bigint } | undefined): Promise<bigint> {
  const asked = boundPrice(await chain.gasPrice())
  const above = last ? (last.gasPrice * 5n) / 4n : 0n
  return boundPrice(asked > above ? asked : above)
}

type ToSign = { nonce: number; gasPrice: bigint; gas: bigint; purpose: SendPurpose; book: Hex | null }

/** The same bytes each time it is asked for the same. */
async function sign({ signer, chainId }: KeyDeps, { purpose, book, ...terms }: ToSign): Promise<Hex> {
  const call =
    purpose && book
      ? { to: register.address, data: encodeAnchor(book, purpose.eventNumber, purpose.commitment) }
      : { to: deployer.address, data: concat([pad('0x'), raffleRegister.bytecode as Hex]) }
  return signer.signTransaction({ type: 'legacy', chainId, ...terms, ...call })
}
