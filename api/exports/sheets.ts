import type { Writable } from 'node:stream'
import { getAddress } from 'viem'
import type { Language } from '../../core/admin/language.ts'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
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
import type { Period } from '../../db/report/journal.ts'
import { count, hash, money, plain, time, units, wallet, word } from './columns.ts'
import { writeJournal } from './journal-csv.ts'
import { type Korean, reasonTexts, type Say, sayIn } from './texts.ts'
import { type Sheet, writeWorkbook } from './workbook.ts'

const usdt = (units: bigint): number => Number(centsOf(units)) / 100
const date = (iso: string | null): Date | null => (iso ? new Date(iso) : null)

/** Public: only what the chain shows to everyone (U5); in both languages, so that one file does for all. */
const ticketSheet = (db: Db, eventNumber: number): Sheet<ExportedTicket> => ({
  name: '티켓 Tickets',
  columns: [
    count('티켓 번호 / Ticket No.', 22),
    hash('거래 해시 / Transaction Hash'),
    money('금액 (USDT) / Amount', 22),
    time('구매 시각 (UTC) / Purchased At', 30),
  ],
  rows: (take) => eachTicket(db, eventNumber, take),
  toCells: (row) => [row.ticketNumber, row.transactionHash, usdt(row.units), row.blockTime],
})

const paymentSheet = (db: Db, eventNumber: number, say: Say): Sheet<ExportedPayment> => ({
  name: `${say('이벤트')} ${eventNumber}`,
  columns: [
    count(say('티켓 번호')),
    count(say('티켓 수')),
    word(say('상태')),
    word(say('사유')),
    wallet(say('결제 지갑')),
    hash(say('거래 해시')),
    money(say('금액 (USDT)')),
    units(say('금액 (10^-18 USDT)')),
    plain(say('블록')),
    time(say('시각 (UTC)')),
    // What the page sent with the hash: nobody has proven it.
    hash(say('동의한 약관 (SHA-256, 구매자가 알림)')),
    hash(say('확인한 개인정보 안내 (SHA-256, 구매자가 알림)')),
    plain(say('확인한 나이')),
    time(say('동의 시각 (UTC)')),
  ],
  rows: (take) => eachPayment(db, eventNumber, take),
  toCells: (row) => [
    row.ticketNumber,
    row.ticketCount,
    row.status === 'credited' ? say('발급 완료') : say('발급 안 됨'),
    row.reason && say(reasonTexts[row.reason]),
    getAddress(row.payer),
    row.transactionHash,
    usdt(row.units),
    `${row.units}`,
    Number(row.blockNumber),
    row.blockTime,
    row.accepted?.termsSha256 ?? null,
    row.accepted?.privacySha256 ?? null,
    row.accepted?.age ?? null,
    date(row.accepted?.at ?? null),
  ],
})

const recipientSheet = (db: Db, eventNumber: number, say: Say): Sheet<ExportedRecipient> => ({
  name: say('환불 대상'),
  columns: [
    wallet(say('결제 지갑')),
    count(say('결제 수')),
    count(say('티켓 수')),
    money(say('환불 금액 (USDT)'), 20),
    units(say('환불 금액 (10^-18 USDT)')),
    word(say('상태')),
    word(say('사유')),
    wallet(say('변경된 받는 지갑')),
    hash(say('환불 거래 해시')),
  ],
  rows: (take) => eachRecipient(db, eventNumber, take),
  toCells: (row) => [
    row.payer,
    row.payments,
    row.tickets,
    row.amount / 100,
    row.units,
    say(refundStates[row.state]),
    row.reason && reasonIn(say, row.reason),
    row.recipient === row.payer ? null : row.recipient,
    row.transactionHash,
  ],
})

const refundStates: Record<ExportedRecipient['state'], Korean> = {
  unprepared: '준비 전',
  planned: '예정',
  offered: '서명 대기',
  sent: '전송됨',
  settled: '완료',
  failed: '실패',
}
const refundReasons: Record<string, Korean> = {
  unread: '두 번째 판독 대기',
  contract: '컨트랙트',
  exchange: '거래소',
  dust: '소액',
  covered: '다른 전송으로 지급',
  replaced: '다른 거래로 대체',
}

const reasonIn = (say: Say, reason: string): string => {
  const known = refundReasons[reason]
  return known ? say(known) : reason
}

const bookSheet = (db: Db, eventNumber: number, say: Say): Sheet<BookLine> => ({
  name: say('환불 장부'),
  columns: [
    wallet(say('결제 지갑')),
    wallet(say('갚을 지갑')),
    wallet(say('토큰')),
    money(say('환불액 (USDT)')),
    money(say('완료 (USDT)')),
    money(say('환불 컨트랙트로 (USDT)'), 22),
    money(say('그 밖의 전송으로 (USDT)'), 22),
    money(say('진행 중 (USDT)')),
    money(say('보류 (USDT)')),
    money(say('남음 (USDT)')),
    units(say('환불액 (10^-18 USDT)')),
    units(say('완료 (10^-18 USDT)')),
    hash(say('환불 거래 해시')),
  ],
  rows: (take) => eachBookEntry(db, eventNumber, take),
  toCells: ({ payer, wallet, token, owed, paid, register, outside, inFlight, held, left, hashes }) => [
    ...[payer, wallet, token],
    ...[owed, paid, register, outside, inFlight, held, left].map(usdt),
    ...[`${owed}`, `${paid}`, hashes.join(' ')],
  ],
})

type HistoryRow = Awaited<ReturnType<typeof listDrawHistory>>[number]

const historySheet = (records: readonly HistoryRow[], say: Say): Sheet<HistoryRow> => ({
  name: say('추첨 기록'),
  columns: [
    ...[plain(say('이벤트'), 10), word(say('상태')), time(say('추첨일 (UTC)'))],
    ...[
      count(say('판매 티켓')),
      count(say('최소 티켓')),
      money(say('티켓 가격 (USDT)')),
      count(say('당첨자 수')),
    ],
    ...[
      count(say('당첨 티켓')),
      wallet(say('당첨 지갑')),
      hash(say('당첨 거래 해시')),
      word(say('난수'), 82),
    ],
    ...[time(say('추첨 시각 (UTC)')), hash(say('명단 지문 (SHA-256)')), hash(say('커밋먼트 (SHA-256)'))],
    ...[
      word(say('난수의 출처')),
      hash(say('블록 시드')),
      plain(say('drand 회차')),
      word(say('drand 서명'), 102),
    ],
  ],
  rows: (take) => take(records),
  toCells: (row) => [
    ...[row.eventNumber, row.isActive ? say('진행 중') : say('완료'), date(row.drawDate)],
    ...[row.ticketsSold, row.minTicketsForDraw, row.ticketPrice, row.winners],
    ...[row.winningTicket, row.winnerWallet, row.winnerTransactionHash, row.randomNumber],
    ...[date(row.drawnAt), row.ledgerSha256, row.commitment],
    ...[row.entropy, row.blockSeed, row.beaconRound, row.beaconSignature],
  ],
})

/** Every drawn ticket of these events. */
const drawnSheet = (records: readonly HistoryRow[], say: Say): Sheet<PublicDrawnTicket> => ({
  name: say('당첨자와 예비'),
  columns: [
    ...[plain(say('이벤트'), 10), word(say('구분')), plain(say('순위'), 10)],
    ...[count(say('티켓 번호')), wallet(say('결제 지갑')), hash(say('거래 해시'))],
  ],
  rows: (take) => take(records.flatMap(({ drawn }) => drawn)),
  toCells: ({ eventNumber, kind, place, ticketNumber, walletAddress, transactionHash }) => [
    ...[eventNumber, kind === 'winner' ? say('당첨') : say('예비'), place],
    ...[ticketNumber, walletAddress, transactionHash],
  ],
})

const sheetNames = ['tickets', 'event', 'refund', 'books', 'history', 'journal'] as const
export type SheetName = (typeof sheetNames)[number]
export const isSheetName = (name: string): name is SheetName => sheetNames.includes(name as SheetName)

/**
 * `eventNumber` is none of what covers all events: the history, and the journal, which has a period. The public ticket list has
 * headers in both languages.
 */
export type Wanted = { sheet: SheetName; eventNumber: number; language: Language; period?: Period }

/** Writes a sheet to `sink`. */
export async function writeSheet(
  sink: Writable,
  db: Db,
  { sheet, eventNumber, language, period }: Wanted,
): Promise<void> {
  const say = sayIn(language)
  switch (sheet) {
    case 'tickets':
      return writeWorkbook(sink, ticketSheet(db, eventNumber))
    case 'event':
      return writeWorkbook(sink, paymentSheet(db, eventNumber, say))
    case 'refund':
      return writeWorkbook(sink, recipientSheet(db, eventNumber, say))
    case 'books':
      return writeWorkbook(sink, bookSheet(db, eventNumber, say))
    case 'history': {
      const records = await listDrawHistory(db)
      return writeWorkbook(sink, historySheet(records, say), drawnSheet(records, say))
    }
    case 'journal':
      if (!period) throw new Error('A journal has a period.')
      return writeJournal(sink, db, period, say)
  }
}
