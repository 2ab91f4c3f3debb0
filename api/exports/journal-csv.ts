import type { Writable } from 'node:stream'
import {
  type Account,
  accountNumbers,
  type Entry,
  openBalances,
  type Posting,
  type PostingKind,
} from '../../core/books/accounts.ts'
import type { Db } from '../../db/index.ts'
import { eachEntry, type Period } from '../../db/report/journal.ts'
import { type Korean, reasonTexts, type Say } from './texts.ts'
import { turn } from './workbook.ts'

const accountNames: Record<Account, Korean> = {
  wallet: '지갑 (USDT)',
  between: '내 지갑 사이의 이동',
  tickets: '선수금: 추첨 전 티켓',
  leftovers: '돌려줄 돈: 티켓 없는 결제',
  refunds: '돌려줄 돈: 환불',
  owner: '운영자 계정',
  opening: '기초 잔액',
  revenue: '티켓 매출',
  prizes: '경품 비용',
}
const kindNames: Record<PostingKind, Korean> = {
  forward: '이월',
  opening: '지갑 등록',
  tickets: '티켓 판매',
  leftover: '티켓 없는 결제',
  draw: '추첨',
  refund_mode: '환불 모드',
  refund: '환불',
  prize: '경품',
  own: '내 지갑 이동',
  other: '그 밖',
  correction: '정정',
  end: '기말',
}
const headers = [
  ...(['전표', '시각 (UTC)', '블록', '거래 해시', '구분', '이벤트', '계정 번호', '계정', '지갑'] as const),
  ...(['상대 지갑', '차변 (USDT)', '대변 (USDT)', '계정 잔액 (USDT)', '금액 (10^-18 USDT)', '사유'] as const),
] as const satisfies readonly Korean[]

/** A spreadsheet takes a file without it for one in the letters of its own country. */
const byteOrderMark = '\uFEFF'

/** Writes the journal of a period to `sink` line by line, and ends it, or destroys it with the error. */
export async function writeJournal(sink: Writable, db: Db, period: Period, say: Say): Promise<void> {
  const balances = openBalances()
  let number = 0
  const linesOf = (entry: Entry): string => {
    number++
    return entry.postings
      .map((posting) => cellsOf(entry, posting, number, balances.add(posting, posting.units), say))
      .map((cells) => `${cells.join(',')}\r\n`)
      .join('')
  }
  try {
    sink.write(`${byteOrderMark}${headers.map((header) => quoted(say(header))).join(',')}\r\n`)
    await eachEntry(db, period, async (entries) => {
      sink.write(entries.map(linesOf).join(''))
      await turn(sink)
    })
    sink.end()
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

function cellsOf(
  { at, block, transactionHash }: Entry,
  { account, wallet, eventNumber, kind, units, counterparty, reason }: Posting,
  number: number,
  balance: bigint,
  say: Say,
): (string | number)[] {
  return [
    ...[number, new Date(at * 1000).toISOString().replace('.000Z', 'Z'), `${block ?? ''}`],
    ...[transactionHash ?? '', say(kindNames[kind]), eventNumber ?? ''],
    ...[accountNumbers[account], quoted(say(accountNames[account]))],
    ...[wallet ?? '', counterparty ?? ''],
    ...[units > 0n ? decimal(units) : '', units < 0n ? decimal(-units) : '', decimal(balance)],
    ...[`${units}`, reason ? quoted(say(reasonTexts[reason])) : ''],
  ]
}

/** Words of ours hold no quotes and no line ends. */
const quoted = (text: string): string => (text.includes(',') ? `"${text}"` : text)

/**
 * Units of 10^-18 as an exact decimal with at least two places.
 * @internal
 */
export function decimal(units: bigint): string {
  const size = units < 0n ? -units : units
  const rest = `${size % 10n ** 18n}`.padStart(18, '0').replace(/0{1,16}$/, '')
  return `${units < 0n ? '-' : ''}${size / 10n ** 18n}.${rest}`
}
