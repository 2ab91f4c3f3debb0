import type { Writable } from 'node:stream'
import { getAddress } from 'viem'
import type { Language } from '../../core/admin/language.ts'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import type { RefundState } from '../../core/refund/rules.ts'
import type { Db } from '../../db/index.ts'
import type { RefundLine } from '../../db/refund/lines.ts'
import {
  type ExportedPayment,
  type ExportedTicket,
  eachPayment,
  eachRefund,
  eachTicket,
} from '../../db/report/exports.ts'
import { listDrawHistory } from '../../db/report/public.ts'
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

/** The words of the files, in the language that is asked for. */
type Say = (korean: string, english: string) => string

const usdt = (units: bigint): number => Number(centsOf(units)) / 100
const date = (iso: string | null | undefined): Date | null => (iso ? new Date(iso) : null)

/** Public: only what the chain shows to everyone (U5); in both languages, so that one file does for all. */
const ticketSheet = (db: Db, eventNumber: number): Sheet<ExportedTicket> => ({
  name: '티켓 Tickets',
  columns: [
    count('티켓 번호 / Ticket No.', (row) => row.ticketNumber, 22),
    hash('거래 해시 / Transaction Hash', (row) => row.transactionHash),
    money('금액 (USDT) / Amount', (row) => usdt(row.units), 22),
    time('구매 시각 (UTC) / Purchased At', (row) => row.blockTime, 30),
  ],
  rows: (take) => eachTicket(db, eventNumber, take),
})

const paymentSheet = (db: Db, eventNumber: number, say: Say): Sheet<ExportedPayment> => ({
  name: `${say('이벤트', 'Event')} ${eventNumber}`,
  columns: [
    count(say('티켓 번호', 'Ticket No.'), (row) => row.ticketNumber),
    count(say('티켓 수', 'Tickets'), (row) => row.ticketCount),
    word(say('상태', 'Status'), ({ status }) =>
      status === 'credited' ? say('발급 완료', 'Issued') : say('발급 안 됨', 'Not issued'),
    ),
    word(say('사유', 'Reason'), ({ reason }) => reason && say(...reasonNames[reason])),
    wallet(say('결제 지갑', 'Paying wallet'), (row) => getAddress(row.payer)),
    hash(say('거래 해시', 'Transaction hash'), (row) => row.transactionHash),
    money(say('금액 (USDT)', 'Amount (USDT)'), (row) => usdt(row.units)),
    units(say('금액 (10^-18 USDT)', 'Amount (10^-18 USDT)'), (row) => `${row.units}`),
    plain(say('블록', 'Block'), (row) => Number(row.blockNumber)),
    time(say('시각 (UTC)', 'Time (UTC)'), (row) => row.blockTime),
    // What the page sent with the hash: nobody has proven it.
    hash(
      say('동의한 약관 (SHA-256, 구매자가 알림)', 'Accepted terms (SHA-256, told by the buyer)'),
      (row) => row.accepted?.termsSha256 ?? null,
    ),
    hash(
      say(
        '확인한 개인정보 안내 (SHA-256, 구매자가 알림)',
        'Accepted privacy notice (SHA-256, told by the buyer)',
      ),
      (row) => row.accepted?.privacySha256 ?? null,
    ),
    plain(say('확인한 나이', 'Confirmed age'), (row) => row.accepted?.age ?? null),
    time(say('동의 시각 (UTC)', 'Accepted at (UTC)'), (row) => date(row.accepted?.at)),
  ],
  rows: (take) => eachPayment(db, eventNumber, take),
})

const reasonNames: Record<PaymentReason, [korean: string, english: string]> = {
  late: ['판매 종료 후', 'After the sale'],
  early: ['판매 시작 전', 'Before the sale'],
  underpaid: ['금액 부족', 'Too little'],
  reverted: ['실패한 거래', 'Failed transaction'],
  no_transfer: ['송금 없음', 'No transfer'],
  wrong_token: ['다른 토큰', 'Another token'],
  old_wallet: ['이전 지갑', 'Former wallet'],
  held: ['보류', 'Held'],
  full: ['판매 수량 초과', 'Event is full'],
  missed: ['추첨 뒤 발견', 'Found after the draw'],
}

const refundSheet = (db: Db, { eventNumber, minUnits }: Wanted, say: Say): Sheet<RefundLine> => ({
  name: say('환불 대상', 'Refunds'),
  columns: [
    wallet(say('결제 지갑', 'Paying wallet'), (row) => getAddress(row.payer)),
    count(say('티켓 수', 'Tickets'), (row) => row.tickets),
    money(say('돌려줄 금액 (USDT)', 'Owed (USDT)'), (row) => usdt(row.owed), 22),
    money(say('받은 금액 (USDT)', 'Received (USDT)'), (row) => usdt(row.byHand + row.byRegister), 20),
    money(say('남은 금액 (USDT)', 'Left (USDT)'), (row) => usdt(row.due), 20),
    word(say('상태', 'Status'), (row) => say(...refundStateNames[row.state])),
    hash(say('마지막 거래 해시', 'Last transaction hash'), (row) => row.transactionHash),
  ],
  rows: (take) => eachRefund(db, { eventNumber, minUnits }, take),
})

const refundStateNames: Record<RefundState, [korean: string, english: string]> = {
  due: ['남음', 'Left'],
  sent: ['전송됨', 'Sent'],
  held: ['보류', 'Held'],
  settled: ['완료', 'Done'],
  surplus: ['초과 지급', 'Paid too much'],
}

type HistoryRow = Awaited<ReturnType<typeof listDrawHistory>>[number]

const historySheet = (records: readonly HistoryRow[], say: Say): Sheet<HistoryRow> => ({
  name: say('추첨 기록', 'Draw history'),
  columns: [
    plain(say('이벤트', 'Event'), (row) => row.eventNumber, 10),
    word(say('상태', 'Status'), (row) => (row.isActive ? say('진행 중', 'Running') : say('완료', 'Done'))),
    time(say('추첨일 (UTC)', 'Draw date (UTC)'), (row) => date(row.drawDate)),
    count(say('판매 티켓', 'Tickets sold'), (row) => row.ticketsSold),
    count(say('최소 티켓', 'Minimum tickets'), (row) => row.minTicketsForDraw),
    money(say('티켓 가격 (USDT)', 'Ticket price (USDT)'), (row) => row.ticketPrice),
    count(say('당첨자 수', 'Winners'), (row) => row.winners),
    count(say('당첨 티켓', 'Winning ticket'), (row) => row.winningTicket),
    wallet(say('당첨 지갑', 'Winning wallet'), (row) => row.winnerWallet),
    hash(say('당첨 거래 해시', 'Winning transaction hash'), (row) => row.winnerTransactionHash),
    word(say('난수', 'Random number'), (row) => row.randomNumber, 82),
    time(say('추첨 시각 (UTC)', 'Drawn at (UTC)'), (row) => date(row.drawnAt)),
    hash(say('명단 지문 (SHA-256)', 'Ledger fingerprint (SHA-256)'), (row) => row.ledgerSha256),
    hash(say('커밋먼트 (SHA-256)', 'Commitment (SHA-256)'), (row) => row.commitment),
    word(say('난수의 출처', 'Source of randomness'), (row) => row.entropy),
    hash(say('블록 시드', 'Block seed'), (row) => row.blockSeed),
    plain(say('drand 회차', 'drand round'), (row) => row.beaconRound),
    word(say('drand 서명', 'drand signature'), (row) => row.beaconSignature, 102),
  ],
  rows: (take) => take(records),
})

const drawnSheet = (records: readonly HistoryRow[], say: Say): Sheet<PublicDrawnTicket> => ({
  name: say('당첨자와 예비', 'Winners and reserves'),
  columns: [
    plain(say('이벤트', 'Event'), (row) => row.eventNumber, 10),
    word(say('구분', 'Kind'), ({ kind }) =>
      kind === 'winner' ? say('당첨', 'Winner') : say('예비', 'Reserve'),
    ),
    plain(say('순위', 'Place'), (row) => row.place, 10),
    count(say('티켓 번호', 'Ticket No.'), (row) => row.ticketNumber),
    wallet(say('결제 지갑', 'Paying wallet'), (row) => row.walletAddress),
    hash(say('거래 해시', 'Transaction hash'), (row) => row.transactionHash),
  ],
  rows: (take) => take(records.flatMap(({ drawn }) => drawn)),
})

export type SheetName = 'tickets' | 'event' | 'refund' | 'history'

/** `eventNumber` is 0 for what covers all events: the history, and refunds of any event. The public ticket
 * list has headers in both languages. `minUnits`: what of a refund is dust. */
export type Wanted = { sheet: SheetName; eventNumber: number; language: Language; minUnits: bigint }

export async function writeSheet(sink: Writable, db: Db, wanted: Wanted): Promise<void> {
  const { sheet, eventNumber, language } = wanted
  const say: Say = (korean, english) => (language === 'en' ? english : korean)
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
