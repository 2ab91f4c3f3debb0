import type { Address, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RefundRow, SignatureProof } from '../../core/refund/rules.ts'
import { readdressMessage, readdressTypedData, recoverProof } from '../../core/refund/signature.ts'
import { poll } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { answerReaddress, askReaddress, getReaddress, wishOf } from '../../db/refund/decisions.ts'
import { rowsOf } from '../../db/refund/reports.ts'
import type { Deps } from '../deps.ts'

const waitMs = 10_000
const lookEveryMs = 100

/** What the payer signs, in both forms; big numbers as texts. */
export async function readWish(db: Db, id: number, recipient: Address) {
  const wish = await wishOf(db, id, recipient)
  const { message, ...typedData } = readdressTypedData(wish)
  return {
    message: readdressMessage(wish),
    typedData: { ...typedData, message: { ...message, refund: message.refund.toString() } },
  }
}

/**
 * Sends a row's money to another address, only by the payer's signature: by the payer's own key (EIP-191,
 * EIP-712), or valid for the payer's contract (ERC-1271, checked by a worker). Throws INVALID_VALUE for any
 * other signature, RPC_UNAVAILABLE when no worker has answered, with nothing changed.
 */
export async function readdress(
  db: Db,
  jobs: Deps['jobs'],
  { id, recipient, signature }: { id: number; recipient: Address; signature: Hex },
): Promise<{ row: RefundRow; proof: SignatureProof }> {
  const wish = await wishOf(db, id, recipient)
  const own = await recoverProof(wish, signature)
  const wanted = { rowId: id, recipient, signature, waitMs }
  const proof = own ?? (await askContract(db, jobs, wanted))
  if (own) await db.transaction(async (tx) => answerReaddress(tx, await askReaddress(tx, wanted), own))
  const [row] = await rowsOf(db, [id])
  return { row: row as RefundRow, proof }
}

async function askContract(
  db: Db,
  jobs: Deps['jobs'],
  wanted: Parameters<typeof askReaddress>[1],
): Promise<SignatureProof> {
  const asked = await askReaddress(db, wanted)
  void jobs.enqueue('prepare-refunds', {}, { jobId: `prepare-refunds-wish-${asked}` })
  const answered = async () => {
    const wish = await getReaddress(db, asked)
    return wish?.answeredAt ? wish : undefined
  }
  const wish = await poll(answered, { withinMs: waitMs, everyMs: lookEveryMs })
  if (!wish)
    throw new RaffleError('RPC_UNAVAILABLE', '서명을 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.')
  if (!wish.proof)
    throw new RaffleError(
      'INVALID_VALUE',
      'signature: 결제한 지갑의 서명이 아닙니다.',
      {},
      { field: 'signature' },
    )
  return wish.proof
}
