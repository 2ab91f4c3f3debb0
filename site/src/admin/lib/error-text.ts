import { AdminError } from './api.ts'

/** The administrator closed a dialog: nothing happened, and nothing is to be said. */
export class Cancelled extends Error {
  override name = 'Cancelled'
}

/** Something went wrong on this side; the message is for the administrator as it is. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** What the server says in English, for people who read Korean. */
const texts: Record<string, string> = {
  ALREADY_DRAWN: '이미 추첨이 끝난 이벤트입니다. 다시 추첨할 수 없습니다.',
  ALREADY_PROCESSED: '이미 처리된 거래입니다. 다시 처리하지 않습니다.',
  BELOW_TICKET_PRICE: '보낸 금액이 티켓 한 장 가격보다 적습니다.',
  BODY_TIMEOUT: '전송이 너무 오래 걸렸습니다. 다시 시도해주세요.',
  BUSY: '서버가 바쁩니다. 잠시 후 다시 시도해주세요.',
  DATE_IN_PAST: '판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.',
  DB_UNAVAILABLE: '데이터베이스에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.',
  DRAW_NOT_DUE: '아직 추첨 시각이 되지 않았습니다.',
  EVENT_LOCKED: '지금은 바꿀 수 없는 값입니다. 판매가 끝났거나 추첨을 발표하고 있습니다.',
  INVALID_DATE: '날짜 형식이 올바르지 않습니다. 예: 2025-09-30 12:00',
  INVALID_TX_HASH: '거래 해시 형식이 올바르지 않습니다. 0x로 시작하는 64자리 16진수를 입력하세요.',
  MIN_NOT_REACHED: '최소 티켓 수에 미치지 못했습니다.',
  NO_MATCHING_TRANSFER: '이 거래에는 운영자 지갑으로 보낸 USDT가 없습니다.',
  NO_WINNER: '발표된 당첨자가 없습니다.',
  NOT_FINAL: '블록이 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.',
  NOTHING_TO_REFUND: '환불할 금액이 없습니다.',
  OUTSIDE_SALE_WINDOW: '판매 기간 밖에 보낸 거래입니다. 환불 대상 목록에 남습니다.',
  REFUND_MODE: '환불 중인 이벤트는 추첨할 수 없습니다.',
  RPC_DISAGREE: '체인 노드들의 답이 서로 다릅니다. 잠시 후 다시 시도해주세요.',
  RPC_UNAVAILABLE: '체인 노드에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.',
  SALES_OPEN: '아직 티켓 명단이 확정되지 않았습니다.',
  TRANSACTION_NOT_FOUND: '거래를 찾을 수 없습니다 (transaction not found). 해시를 확인해주세요.',
  TX_FAILED: '체인에서 실패한 거래입니다.',
  VERSION_CONFLICT: '다른 관리자가 먼저 설정을 바꿨습니다. 새 값을 확인한 뒤 다시 저장해주세요.',
  WALLET_PINNED: '운영자 지갑은 서버 설정으로 고정되어 있습니다.',
}

export const networkText = '서버에 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도해주세요.'

/** The server's sentence where it is Korean, ours by its code where not, else `otherwise`. */
export function errorText(error: unknown, otherwise: string): string {
  if (error instanceof Trouble) return error.message
  if (!(error instanceof AdminError)) return isNetwork(error) ? networkText : otherwise
  const { code, text, status } = error
  if (text && /[가-힣]/.test(text)) return text
  return (code && texts[code]) || text || (status >= 500 ? networkText : otherwise)
}

/** `fetch` rejects with a TypeError, our own deadline with a TimeoutError. */
export const isNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
