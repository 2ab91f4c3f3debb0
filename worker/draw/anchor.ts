import type { Hash, Hex } from 'viem'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { stopwatch, withDeadline } from '../../core/server/time.ts'
import { type AnchorCandidate, recordAnchor } from '../../db/draw/anchors.ts'
import { answerWorkerRequests, noteWorkerRequest, openWorkerRequests } from '../../db/draw/worker-requests.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import type { Header, Transaction } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/**
 * Looks at every transaction that the scan found or an administrator named as the anchor, and stores the
 * first that is one. Safe to run twice: answered requests are skipped, transactions not yet final are read again.
 */
export async function anchor({ db, chain, log }: Deps, { eventNumber }: Jobs['anchor']): Promise<void> {
  for (const { id, transactionHash } of await openWorkerRequests(db, 'anchor', eventNumber)) {
    const durationMs = stopwatch()
    try {
      await takeAnchor({ db, chain }, eventNumber, transactionHash as Hash)
      await answerWorkerRequests(db, [id], { code: null, message: null })
      log.info({ eventNumber, transactionHash, durationMs: durationMs() }, 'ledger anchored')
    } catch (error) {
      if (!(error instanceof RaffleError)) throw error
      const answer = { code: error.code, message: error.message }
      if (mayStillCome(error)) await noteWorkerRequest(db, id, answer)
      else await answerWorkerRequests(db, [id], answer)
    }
  }
}

/** Checks sender, calldata, finality and time of one transaction. Throws the first problem. */
async function takeAnchor({ db, chain }: Pick<Deps, 'db' | 'chain'>, eventNumber: number, hash: Hash) {
  const event = await getOpenEvent(db)
  if (event?.number !== eventNumber || !event.ledgerSha256 || !event.drawDate)
    throw new RaffleError('SALES_OPEN', '아직 티켓 명단이 확정되지 않았습니다.')
  const transaction = await chain.transaction(hash)
  if (!transaction) {
    if (await chain.isWaiting(hash))
      throw new RaffleError(
        'TX_PENDING',
        '거래가 아직 블록에 들어가지 않았습니다. 잠시 후 다시 시도해주세요.',
      )
    throw new RaffleError('TRANSACTION_NOT_FOUND', 'transaction not found')
  }
  if (transaction.from !== event.operatorWallet)
    throw new RaffleError('INVALID_VALUE', '운영자 지갑에서 보낸 거래가 아닙니다.')
  if (carriedBy(transaction) !== event.ledgerSha256)
    throw new RaffleError('INVALID_VALUE', '거래 데이터가 티켓 명단의 지문으로 끝나지 않습니다.')
  if (transaction.blockNumber > (await chain.finalized()).number)
    throw new RaffleError('TX_PENDING', '거래가 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.')
  const header = await chain.header(transaction.blockNumber)
  if (header?.hash !== transaction.blockHash)
    throw new RaffleError('RPC_DISAGREE', 'The endpoints do not agree on the block of this transaction.')
  if (header.timestamp >= event.drawDate.getTime() / 1000)
    throw new RaffleError('INVALID_VALUE', '추첨 시각 뒤의 블록에 들어간 거래입니다.')
  await recordAnchor(db, {
    eventNumber,
    sha256: event.ledgerSha256,
    transactionHash: hash,
    blockNumber: header.number,
    blockTime: new Date(header.timestamp * 1000),
  })
}

/** The 32 bytes at the end of the calldata; undefined where there are fewer. */
const carriedBy = ({ input }: Transaction): Hex | undefined =>
  input.length >= 66 ? `0x${input.slice(-64).toLowerCase()}` : undefined

const candidatesMs = 5_000

/**
 * Those of the zero transfers in the operator's name that the operator sent himself, between the sale end and the
 * draw date. Anybody can make the others, so they become no work for anybody: a batch of look-ups is all they
 * cost. An endpoint that does not answer stops no scan: the anchor can still be named by its hash.
 */
export async function anchorCandidates(
  { chain, log }: Pick<Deps, 'chain' | 'log'>,
  event: Pick<Event, 'operatorWallet' | 'saleEnd' | 'drawDate'>,
  { hints, after, end }: { hints: readonly Hash[]; after: Date | undefined; end: Header },
): Promise<AnchorCandidate[]> {
  const { operatorWallet, saleEnd, drawDate } = event
  if (hints.length === 0 || !saleEnd || !drawDate) return []
  if (end.timestamp * 1000 < saleEnd.getTime() || (after && after >= drawDate)) return []
  const read = async () => {
    const transactions = await chain.transactions(hints)
    const own = transactions.flatMap((transaction, index) => {
      const transactionHash = hints[index] as Hash
      const sha256 = transaction.from === operatorWallet ? carriedBy(transaction) : undefined
      return sha256 ? { transactionHash, sha256, height: transaction.blockNumber } : []
    })
    if (own.length === 0) return []
    const headers = await chain.headers([...new Set(own.map(({ height }) => height))])
    const times = new Map(headers.map(({ number, timestamp }) => [number, timestamp * 1000]))
    const isInTime = ({ height }: (typeof own)[number]) => {
      const time = times.get(height) as number
      return saleEnd.getTime() <= time && time < drawDate.getTime()
    }
    return own.filter(isInTime)
  }
  return withDeadline(candidatesMs, read(), () => []).catch((err) => {
    if (!(err instanceof RaffleError)) throw err
    log.warn({ err, hints: hints.length }, 'possible anchors not looked at')
    return []
  })
}

/** One endpoint's "unknown" is no verdict: the request stays open until no caller waits any longer. */
const mayStillCome = (error: RaffleError): boolean =>
  isTemporary(error) || error.code === 'TRANSACTION_NOT_FOUND'
