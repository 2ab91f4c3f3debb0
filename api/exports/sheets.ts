import type { Writable } from 'node:stream'
import { getAddress } from 'viem'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment.ts'
import { listDrawHistory } from '../../db/event/history.ts'
import type { Db } from '../../db/index.ts'
import {
  type ExportedPayment,
  type ExportedRecipient,
  type ExportedTicket,
  eachPayment,
  eachRecipient,
  eachTicket,
} from '../../db/report/exports.ts'
import { asCount, asMoney, asTime, type Sheet, writeWorkbook } from './workbook.ts'

const usdt = (units: bigint): number => Number(centsOf(units)) / 100
const date = (iso: string | null): Date | null => (iso ? new Date(iso) : null)

/** Public: only what the chain shows to everyone (U5). */
const ticketSheet = (db: Db, eventNumber: number): Sheet<ExportedTicket> => ({
  name: '티켓',
  columns: [
    { header: '티켓 번호 / Ticket No.', width: 22, format: asCount },
    { header: '거래 해시 / Transaction Hash', width: 70 },
    { header: '금액 (USDT) / Amount', width: 22, format: asMoney },
    { header: '구매 시각 (UTC) / Purchased At', width: 30, format: asTime },
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
    { header: '티켓 번호', width: 12, format: asCount },
    { header: '티켓 수', width: 10, format: asCount },
    { header: '상태', width: 12 },
    { header: '사유', width: 14 },
    { header: '결제 지갑', width: 46 },
    { header: '거래 해시', width: 70 },
    { header: '금액 (USDT)', width: 16, format: asMoney },
    { header: '금액 (10^-18 USDT)', width: 26 },
    { header: '블록', width: 14, format: '0' },
    { header: '시각 (UTC)', width: 20, format: asTime },
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
    { header: '결제 지갑', width: 46 },
    { header: '결제 수', width: 10, format: asCount },
    { header: '티켓 수', width: 10, format: asCount },
    { header: '환불 금액 (USDT)', width: 20, format: asMoney },
    { header: '환불 금액 (10^-18 USDT)', width: 26 },
    { header: '상태', width: 12 },
    { header: '사유', width: 14 },
    { header: '변경된 받는 지갑', width: 46 },
    { header: '환불 거래 해시', width: 70 },
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

type HistoryRow = Awaited<ReturnType<typeof listDrawHistory>>[number]

const historySheet = (db: Db): Sheet<HistoryRow> => ({
  name: '추첨 기록',
  columns: [
    { header: '이벤트', width: 10, format: '0' },
    { header: '상태', width: 12 },
    { header: '추첨일 (UTC)', width: 20, format: asTime },
    { header: '판매 티켓', width: 12, format: asCount },
    { header: '최소 티켓', width: 12, format: asCount },
    { header: '티켓 가격 (USDT)', width: 16, format: asMoney },
    { header: '당첨 티켓', width: 12, format: asCount },
    { header: '당첨 지갑', width: 46 },
    { header: '당첨 거래 해시', width: 70 },
    { header: '난수', width: 82 },
    { header: '추첨 시각 (UTC)', width: 20, format: asTime },
    { header: '명단 지문 (SHA-256)', width: 70 },
  ],
  rows: async (take) => take(await listDrawHistory(db)),
  toCells: (row) => [
    row.eventNumber,
    row.isActive ? '진행 중' : '완료',
    date(row.drawDate),
    row.ticketsSold,
    row.minTicketsForDraw,
    row.ticketPrice,
    row.winningTicket,
    row.winnerWallet,
    row.winnerTransactionHash,
    row.randomNumber,
    date(row.drawnAt),
    row.ledgerSha256,
  ],
})

const sheetNames = ['tickets', 'event', 'refund', 'history'] as const
export type SheetName = (typeof sheetNames)[number]
export const isSheetName = (name: string): name is SheetName => sheetNames.includes(name as SheetName)

/** Writes the sheet of this name to `sink`; the history covers all events. */
export function writeSheet(sink: Writable, name: SheetName, db: Db, eventNumber: number): Promise<void> {
  switch (name) {
    case 'tickets':
      return writeWorkbook(sink, ticketSheet(db, eventNumber))
    case 'event':
      return writeWorkbook(sink, paymentSheet(db, eventNumber))
    case 'refund':
      return writeWorkbook(sink, recipientSheet(db, eventNumber))
    case 'history':
      return writeWorkbook(sink, historySheet(db))
  }
}
