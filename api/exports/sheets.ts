import type { Writable } from 'node:stream'
import { getAddress } from 'viem'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment.ts'
import type { PublicDrawnTicket } from '../../core/public.ts'
import { listDrawHistory } from '../../db/event/history.ts'
import type { Db } from '../../db/index.ts'
import type { BookLine } from '../../db/refund/book-lines.ts'
import {
  type ExportedPayment,
  type ExportedRecipient,
  type ExportedTicket,
  eachBookEntry,
  eachPayment,
  eachRecipient,
  eachTicket,
} from '../../db/report/exports.ts'
import { count, hash, money, plain, time, units, wallet, word } from './columns.ts'
import { type Sheet, writeWorkbook } from './workbook.ts'

const usdt = (units: bigint): number => Number(centsOf(units)) / 100
const date = (iso: string | null): Date | null => (iso ? new Date(iso) : null)

/** Public: only what the chain shows to everyone (U5). */
const ticketSheet = (db: Db, eventNumber: number): Sheet<ExportedTicket> => ({
  name: '티켓',
  columns: [
    count('티켓 번호 / Ticket No.', 22),
    hash('거래 해시 / Transaction Hash'),
    money('금액 (USDT) / Amount', 22),
    time('구매 시각 (UTC) / Purchased At', 30),
  ],
  rows: (take) => eachTicket(db, eventNumber, take),
  toCells: (row) => [row.ticketNumber, row.transactionHash, usdt(row.units), row.blockTime],
})

const reasons: Record<PaymentReason, string> = {
  late: '판매 종료 후',
  early: '판매 시작 전',
  underpaid: '금액 부족',
  reverted: '실패한 거래',
  no_transfer: '송금 없음',
  wrong_token: '다른 토큰',
  old_wallet: '이전 지갑',
  held: '보류',
  missed: '추첨 뒤 발견',
}

const paymentSheet = (db: Db, eventNumber: number): Sheet<ExportedPayment> => ({
  name: `이벤트 ${eventNumber}`,
  columns: [
    count('티켓 번호'),
    count('티켓 수'),
    word('상태'),
    word('사유'),
    wallet('결제 지갑'),
    hash('거래 해시'),
    money('금액 (USDT)'),
    units('금액 (10^-18 USDT)'),
    plain('블록'),
    time('시각 (UTC)'),
  ],
  rows: (take) => eachPayment(db, eventNumber, take),
  toCells: (row) => [
    row.ticketNumber,
    row.ticketCount,
    row.status === 'credited' ? '발급 완료' : '발급 안 됨',
    row.reason && reasons[row.reason],
    getAddress(row.payer),
    row.transactionHash,
    usdt(row.units),
    `${row.units}`,
    Number(row.blockNumber),
    row.blockTime,
  ],
})

const recipientSheet = (db: Db, eventNumber: number): Sheet<ExportedRecipient> => ({
  name: '환불 대상',
  columns: [
    wallet('결제 지갑'),
    count('결제 수'),
    count('티켓 수'),
    money('환불 금액 (USDT)', 20),
    units('환불 금액 (10^-18 USDT)'),
    word('상태'),
    word('사유'),
    wallet('변경된 받는 지갑'),
    hash('환불 거래 해시'),
  ],
  rows: (take) => eachRecipient(db, eventNumber, take),
  toCells: (row) => [
    row.payer,
    row.payments,
    row.tickets,
    row.amount / 100,
    row.units,
    refundStates[row.state],
    row.reason && (refundReasons[row.reason] ?? row.reason),
    row.recipient === row.payer ? null : row.recipient,
    row.transactionHash,
  ],
})

const refundStates: Record<ExportedRecipient['state'], string> = {
  unprepared: '준비 전',
  planned: '예정',
  offered: '서명 대기',
  sent: '전송됨',
  settled: '완료',
  failed: '실패',
}
const refundReasons: Record<string, string> = {
  contract: '컨트랙트',
  exchange: '거래소',
  dust: '소액',
  covered: '다른 전송으로 지급',
  replaced: '다른 거래로 대체',
}

const bookSheet = (db: Db, eventNumber: number): Sheet<BookLine> => ({
  name: '환불 장부',
  columns: [
    wallet('결제 지갑'),
    wallet('갚을 지갑'),
    wallet('토큰'),
    money('환불액 (USDT)'),
    money('완료 (USDT)'),
    money('환불 컨트랙트로 (USDT)', 22),
    money('그 밖의 전송으로 (USDT)', 22),
    money('진행 중 (USDT)'),
    money('보류 (USDT)'),
    money('남음 (USDT)'),
    units('환불액 (10^-18 USDT)'),
    units('완료 (10^-18 USDT)'),
    hash('환불 거래 해시'),
  ],
  rows: (take) => eachBookEntry(db, eventNumber, take),
  toCells: ({ payer, wallet, token, owed, paid, register, outside, inFlight, held, left, hashes }) => [
    ...[payer, wallet, token],
    ...[owed, paid, register, outside, inFlight, held, left].map(usdt),
    ...[`${owed}`, `${paid}`, hashes.join(' ')],
  ],
})

type HistoryRow = Awaited<ReturnType<typeof listDrawHistory>>[number]

const historySheet = (records: readonly HistoryRow[]): Sheet<HistoryRow> => ({
  name: '추첨 기록',
  columns: [
    ...[plain('이벤트', 10), word('상태'), time('추첨일 (UTC)')],
    ...[count('판매 티켓'), count('최소 티켓'), money('티켓 가격 (USDT)'), count('당첨자 수')],
    ...[count('당첨 티켓'), wallet('당첨 지갑'), hash('당첨 거래 해시'), word('난수', 82)],
    ...[time('추첨 시각 (UTC)'), hash('명단 지문 (SHA-256)'), hash('커밋먼트 (SHA-256)')],
    ...[word('난수의 출처'), hash('블록 시드'), plain('drand 회차'), word('drand 서명', 102)],
  ],
  rows: (take) => take(records),
  toCells: (row) => [
    ...[row.eventNumber, row.isActive ? '진행 중' : '완료', date(row.drawDate)],
    ...[row.ticketsSold, row.minTicketsForDraw, row.ticketPrice, row.winners],
    ...[row.winningTicket, row.winnerWallet, row.winnerTransactionHash, row.randomNumber],
    ...[date(row.drawnAt), row.ledgerSha256, row.commitment],
    ...[row.entropy, row.blockSeed, row.beaconRound, row.beaconSignature],
  ],
})

/** Every drawn ticket of these events. */
const drawnSheet = (records: readonly HistoryRow[]): Sheet<PublicDrawnTicket> => ({
  name: '당첨자와 예비',
  columns: [
    ...[plain('이벤트', 10), word('구분'), plain('순위', 10)],
    ...[count('티켓 번호'), wallet('결제 지갑'), hash('거래 해시')],
  ],
  rows: (take) => take(records.flatMap(({ drawn }) => drawn)),
  toCells: ({ eventNumber, kind, place, ticketNumber, walletAddress, transactionHash }) => [
    ...[eventNumber, kind === 'winner' ? '당첨' : '예비', place],
    ...[ticketNumber, walletAddress, transactionHash],
  ],
})

const sheetNames = ['tickets', 'event', 'refund', 'books', 'history'] as const
export type SheetName = (typeof sheetNames)[number]
export const isSheetName = (name: string): name is SheetName => sheetNames.includes(name as SheetName)

/** Writes the sheet of this name to `sink`; the history covers all events. */
export async function writeSheet(
  sink: Writable,
  name: SheetName,
  db: Db,
  eventNumber: number,
): Promise<void> {
  switch (name) {
    case 'tickets':
      return writeWorkbook(sink, ticketSheet(db, eventNumber))
    case 'event':
      return writeWorkbook(sink, paymentSheet(db, eventNumber))
    case 'refund':
      return writeWorkbook(sink, recipientSheet(db, eventNumber))
    case 'books':
      return writeWorkbook(sink, bookSheet(db, eventNumber))
    case 'history': {
      const records = await listDrawHistory(db)
      return writeWorkbook(sink, historySheet(records), drawnSheet(records))
    }
  }
}
