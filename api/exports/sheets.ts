import type { Writable } from 'node:stream'
import { getAddress } from 'viem'
import type { Language } from '../../core/admin/language.ts'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { RefundLine, RefundState } from '../../core/refund/rules.ts'
import type { Db } from '../../db/index.ts'
import {
  type ExportedPayment,
  type ExportedTicket,
  eachPayment,
  eachRefund,
  eachTicket,
} from '../../db/report/exports.ts'
import { listDrawHistory } from '../../db/report/public.ts'
import { type Korean, reasonTexts, type Say, sayIn } from './texts.ts'
import {
  count,
  hash,
  money,
  plain,
  type Sheet,
  time,
  units,
  wallet,
  word,
  writeWorkbook,
} from './workbook.ts'

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

const refundSheet = (db: Db, { eventNumber, minUnits }: Wanted, say: Say): Sheet<RefundLine> => ({
  name: say('환불 대상'),
  columns: [
    wallet(say('결제 지갑')),
    count(say('티켓 수')),
    ...[
      money(say('돌려줄 금액 (USDT)'), 22),
      money(say('받은 금액 (USDT)'), 20),
      money(say('남은 금액 (USDT)'), 20),
    ],
    word(say('상태')),
    hash(say('마지막 거래 해시')),
  ],
  rows: (take) => eachRefund(db, { eventNumber, minUnits }, take),
  toCells: ({ payer, tickets, owed, byHand, byRegister, due, state, transactionHash }) => [
    ...[getAddress(payer), tickets],
    ...[usdt(owed), usdt(byHand + byRegister), usdt(due)],
    ...[say(refundStateNames[state]), transactionHash],
  ],
})

const refundStateNames: Record<RefundState, Korean> = {
  due: '남음',
  sent: '전송됨',
  held: '보류',
  settled: '완료',
  surplus: '초과 지급',
}

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

const sheetNames = ['tickets', 'event', 'refund', 'history'] as const
export type SheetName = (typeof sheetNames)[number]
export const isSheetName = (name: string): name is SheetName => sheetNames.includes(name as SheetName)

/** `eventNumber` is 0 for what covers all events: the history, and refunds of any event. The public ticket
 * list has headers in both languages. `minUnits`: what of a refund is dust. */
export type Wanted = { sheet: SheetName; eventNumber: number; language: Language; minUnits: bigint }

export async function writeSheet(sink: Writable, db: Db, wanted: Wanted): Promise<void> {
  const { sheet, eventNumber, language } = wanted
  const say = sayIn(language)
  switch (sheet) {
    case 'tickets':
      return writeWorkbook(sink, [ticketSheet(db, eventNumber)])
    case 'event':
      return writeWorkbook(sink, [paymentSheet(db, eventNumber, say)])
    case 'refund':
      return writeWorkbook(sink, [refundSheet(db, wanted, say)])
    case 'history': {
      const records = await listDrawHistory(db)
      return writeWorkbook(sink, [historySheet(records, say), drawnSheet(records, say)])
    }
  }
}
