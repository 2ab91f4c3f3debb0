import type { Hash } from 'viem'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { commitmentOfEvent, listAnchors } from '../../db/draw/anchors.ts'
import { answerWorkerRequests, noteWorkerRequest, openWorkerRequests } from '../../db/draw/worker-requests.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import type { Deps } from '../deps.ts'

/**
 * Answers each call that named a transaction as the anchor. Safe to run twice: the scan alone records anchors, answered
 * calls are skipped, and those whose transaction is not final stay open.
 */
export async function anchor(
  deps: Pick<Deps, 'db' | 'chain'>,
  { eventNumber }: Jobs['anchor'],
): Promise<void> {
  const { db } = deps
  for (const { id, transactionHash } of await openWorkerRequests(db, 'anchor', eventNumber)) {
    try {
      await expectAnchor(deps, eventNumber, transactionHash as Hash)
      await answerWorkerRequests(db, [id], { code: null, message: null })
    } catch (error) {
      if (!(error instanceof RaffleError)) throw error
      const answer = { code: error.code, message: error.message }
      if (mayStillCome(error)) await noteWorkerRequest(db, id, answer)
      else await answerWorkerRequests(db, [id], answer)
    }
  }
}

/** Throws why this transaction is no anchor of the frozen ledger, or not yet. */
async function expectAnchor({ db, chain }: Pick<Deps, 'db' | 'chain'>, eventNumber: number, hash: Hash) {
  const event = await getOpenEvent(db)
  const commitment = event && commitmentOfEvent(event)
  if (event?.number !== eventNumber || !commitment)
    throw new RaffleError('SALES_OPEN', '아직 티켓 명단이 확정되지 않았습니다.')
  const recorded = (await listAnchors(db, eventNumber)).filter((one) => one.transactionHash === hash)
  if (recorded.some((one) => one.commitment === commitment)) return
  if (recorded.length > 0)
    throw new RaffleError('INVALID_VALUE', '지금 확정된 약속과 명단이 아닌 다른 지문을 기록한 거래입니다.')
  const transaction = await chain.transaction(hash)
  if (!transaction) {
    if (await chain.isWaiting(hash))
      throw pending('거래가 아직 블록에 들어가지 않았습니다. 잠시 후 다시 시도해주세요.')
    throw new RaffleError('TRANSACTION_NOT_FOUND', 'transaction not found')
  }
  const cursor = await getScanCursor(db)
  if (!cursor || transaction.blockNumber > cursor.height)
    throw pending('거래가 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.')
  if (event.anchorsUnreadFrom !== null && event.anchorsUnreadFrom <= transaction.blockNumber)
    throw pending('앵커를 아직 읽지 못한 블록의 거래입니다. 읽히는 대로 기록됩니다.')
  await explain({ chain }, event, transaction.blockNumber)
}

/** The scan has passed its block and found no anchor in it. */
async function explain({ chain }: Pick<Deps, 'chain'>, { saleEnd, drawDate }: Event, height: bigint) {
  const header = await chain.header(height)
  if (header && saleEnd && header.timestamp * 1000 < saleEnd.getTime())
    throw new RaffleError('INVALID_VALUE', '판매 종료 전의 블록에 들어간 거래입니다.')
  if (header && drawDate && header.timestamp * 1000 >= drawDate.getTime())
    throw new RaffleError('INVALID_VALUE', '추첨 시각 뒤의 블록에 들어간 거래입니다.')
  throw new RaffleError(
    'INVALID_VALUE',
    '운영자 지갑이나 지문을 기록하는 지갑이 이 이벤트의 지문을 기록한 거래가 아닙니다.',
  )
}

const pending = (why: string): RaffleError => new RaffleError('TX_PENDING', why)

/** One endpoint's "unknown" is no verdict: the request stays open until no caller waits any longer. */
const mayStillCome = (error: RaffleError): boolean =>
  isTemporary(error) || error.code === 'TRANSACTION_NOT_FOUND'
