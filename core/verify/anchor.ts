import type { Proof } from '../draw/proof.ts'
import { findTransaction, getTransaction, mustGetHeader } from './chain.ts'
import { failed, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'

/** The operator's transaction carries the fingerprint at the end of its calldata, in a block before D. */
export async function checkAnchor(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const { anchor } = proof
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
  if (transaction.from !== proof.operatorWallet)
    return failed('anchor', 'Somebody else sent it.', proof.operatorWallet, transaction.from)
  const carried = `0x${transaction.input.slice(-64)}`
  if (transaction.input.length < 66 || carried !== proof.ledger.sha256)
    return failed('anchor', 'It carries another fingerprint.', proof.ledger.sha256, carried)
  const { timestamp } = await mustGetHeader(rpc, anchor.blockNumber)
  if (timestamp !== anchor.timestamp)
    return failed('anchor', 'Its block has another time.', timestamp, anchor.timestamp)
  const drawDate = Date.parse(proof.drawDate) / 1000
  if (timestamp >= drawDate)
    return failed('anchor', 'It came after the draw date.', `before ${drawDate}`, timestamp)
  return passed(
    'anchor',
    `Transaction ${anchor.transactionHash} carried it ${drawDate - timestamp} s before the draw date.`,
  )
}
