import { concat, numberToHex, pad } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { anchorHint } from '../payment.ts'
import { findTransaction, getReceiptAt, getTransaction, HistoryError, mustGetHeader } from './chain.ts'
import { failed, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'

/** Selector of `transfer(address,uint256)`. */
const transferCall = '0xa9059cbb'

/**
 * The operator's transaction carries the fingerprint behind its calldata, in a block after the sale and before
 * D. It counts only as a USDT transfer of nothing to oneself, as the button sends it: its log is what others
 * can search for, so that a second one cannot be kept back.
 */
export async function checkAnchor(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const { anchor, operatorWallet, token } = proof
  if (!anchor) return skipped('anchor', 'The operator put no fingerprint on the chain for this event.')
  const transaction =
    (await getTransaction(rpc, anchor.transactionHash).catch(() => undefined)) ??
    (await findTransaction(rpc, anchor.transactionHash, anchor.blockNumber))
  if (!transaction) return failed('anchor', `There is no transaction ${anchor.transactionHash}.`)
  if (transaction.blockNumber !== anchor.blockNumber)
    return failed(
      'anchor',
      'The transaction is in another block.',
      transaction.blockNumber,
      anchor.blockNumber,
    )
  if (transaction.from !== operatorWallet)
    return failed('anchor', 'Somebody else sent it.', operatorWallet, transaction.from)
  const carried = `0x${transaction.input.slice(-64)}`
  if (transaction.input.length < 66 || carried !== proof.ledger.sha256)
    return failed('anchor', 'It carries another fingerprint.', proof.ledger.sha256, carried)
  const { timestamp } = await mustGetHeader(rpc, anchor.blockNumber)
  if (timestamp !== anchor.timestamp)
    return failed('anchor', 'Its block has another time.', timestamp, anchor.timestamp)
  const [saleEnd, drawDate] = [Date.parse(proof.saleEndDate) / 1000, Date.parse(proof.drawDate) / 1000]
  if (timestamp < saleEnd)
    return failed('anchor', 'It came before the sale had ended.', `at least ${saleEnd}`, timestamp)
  if (timestamp >= drawDate)
    return failed('anchor', 'It came after the draw date.', `before ${drawDate}`, timestamp)
  const asSent = concat([
    transferCall,
    pad(operatorWallet),
    numberToHex(0, { size: 32 }),
    proof.ledger.sha256,
  ])
  const receipt = await getReceiptAt(rpc, anchor.blockNumber, transaction.transactionIndex)
  if (!receipt) throw new HistoryError('It no longer has the receipt.')
  const wallets = new Set<string>([operatorWallet])
  const isTold =
    receipt.isSuccess &&
    receipt.logs.some((log) => anchorHint(log, token, wallets) === anchor.transactionHash)
  if (transaction.to !== token || transaction.input !== asSent || !isTold)
    return skipped(
      'anchor',
      'The transaction is no USDT transfer of nothing from the operator wallet to itself, so it does not count.',
    )
  return passed(
    'anchor',
    `Transaction ${anchor.transactionHash} carried it ${drawDate - timestamp} s before the draw date.`,
  )
}
