import type { ErrorCode, errors } from '../../../../core/errors.ts'
import { t } from '../language/t.ts'
import { AdminError } from '../session/api.ts'

/** The administrator closed a dialog: nothing happened, and no message is shown. */
export class Cancelled extends Error {
  override name = 'Cancelled'
}

/** An error in the browser; its message is shown to the administrator unchanged. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** Codes whose sentence from the server (Korean on an administrator's call) says more than the code. */
type SpecificCode = {
  [Code in ErrorCode]: (typeof errors)[Code] extends { specific: true } ? Code : never
}[ErrorCode]

/** Korean sentences for every other code of the server; a new code needs one here too. */
export const errorTexts: Record<Exclude<ErrorCode, SpecificCode> | 'INTERNAL', string> = {
  ALREADY_DRAWN: t('이미 추첨이 끝난 이벤트입니다. 다시 추첨할 수 없습니다.'),
  BEACON_KNOWN: t('이 회차의 서명은 이미 확인되었습니다.'),
  BEACON_PENDING: t('추첨에 쓰일 drand 회차를 기다리고 있습니다. 회차가 나오면 자동으로 추첨합니다.'),
  BAD_JSON: t('보낸 내용을 서버가 읽지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.'),
  BELOW_TICKET_PRICE: t('보낸 금액이 티켓 한 장 가격보다 적습니다. 환불 대상 목록에 남습니다.'),
  BODY_TIMEOUT: t('전송이 너무 오래 걸렸습니다. 다시 시도해주세요.'),
  BUSY: t('서버가 바쁩니다. 잠시 후 다시 시도해주세요.'),
  CLAIM_EXPIRED: t('서명할 문장의 유효 시간(10분)이 지났습니다. 다시 시도해주세요.'),
  CLAIM_MISMATCH: t('이 사이트가 만든 문장이 아닙니다. 다시 시도해주세요.'),
  CLAIM_USED: t('이미 사용된 문장입니다. 다시 시도해주세요.'),
  DATE_IN_PAST: t('판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.'),
  DB_UNAVAILABLE: t('데이터베이스에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.'),
  DRAW_NOT_DUE: t('아직 추첨 시각이 되지 않았습니다.'),
  READ_ONLY: t('읽기 전용 계정으로는 할 수 없는 작업입니다.'),
  EXPORT_BUSY: t('다른 다운로드를 준비하고 있습니다. 잠시 후 다시 시도해주세요.'),
  HEADERS_TOO_LARGE: t('요청을 보내지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.'),
  HOUSE_SHUT: t(
    '이 데이터베이스는 아직 체인과 대조되지 않았습니다. 복원되었거나, 운영자 지갑이 다른 장부에서 쓰였습니다. 서버에서 bun run admin after-restore를 실행해주세요.',
  ),
  HISTORY_MISSING: t(
    '체인 노드에 필요한 과거 블록이 없습니다. 과거 기록이 있는 노드를 RPC_URLS에 추가해주세요.',
  ),
  // The server knows only that it failed: its English sentence would add nothing.
  INTERNAL: t('서버에서 오류가 났습니다. 잠시 후 다시 시도하고, 계속되면 서버 로그를 확인해주세요.'),
  INVALID_AMOUNT: t('금액이 올바르지 않습니다.'),
  INVALID_CREDENTIALS: t('사용자명 또는 비밀번호가 올바르지 않습니다.'),
  INVALID_DATE: t('날짜 형식이 올바르지 않습니다. 예: 2025-09-30 12:00'),
  INVALID_IP: t('IP 주소 또는 CIDR 형식이 올바르지 않습니다.'),
  INVALID_OTP: t('잘못된 인증 코드입니다. 다시 시도하세요.'),
  INVALID_PASSKEY: t('패스키를 확인하지 못했습니다. 다시 시도하세요.'),
  INVALID_SIGNATURE: t('이 회차의 올바른 서명이 아닙니다.'),
  INVALID_QUANTITY: t('수량이 올바르지 않습니다.'),
  INVALID_TX_HASH: t('거래 해시 형식이 올바르지 않습니다. 0x로 시작하는 64자리 16진수를 입력하세요.'),
  IP_NOT_ALLOWED: t('허용되지 않은 IP 주소입니다.'),
  IP_TOO_BROAD: t('IP 범위가 너무 넓습니다. IPv4는 /8, IPv6는 /16보다 좁아야 합니다.'),
  LENGTH_REQUIRED: t('파일 크기(Content-Length)가 필요합니다.'),
  METHOD_NOT_ALLOWED: t('서버가 이 요청을 받지 않습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.'),
  MIN_NOT_REACHED: t('최소 티켓 수에 미치지 못했습니다.'),
  MISDIRECTED: t('이 주소로는 관리자 페이지를 쓸 수 없습니다. 주소를 확인해주세요.'),
  NO_MATCHING_TRANSFER: t('이 거래에는 운영자 지갑으로 보낸 USDT가 없습니다.'),
  NO_WINNER: t('발표된 당첨자가 없습니다.'),
  NOT_AN_IMAGE: t('올바른 JPG 또는 PNG 이미지가 아닙니다.'),
  NOT_FINAL: t('블록이 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.'),
  NOTHING_TO_REFUND: t('환불할 금액이 없습니다.'),
  ORIGIN_DENIED: t('이 페이지에서는 변경할 수 없습니다. 서버의 ALLOWED_ORIGINS 설정을 확인해주세요.'),
  OTP_REQUIRED: t('2차 인증 코드를 입력하세요.'),
  DATE_TOO_FAR: t('추첨 일시는 180일 안이어야 합니다.'),
  OUTSIDE_SALE_WINDOW: t('판매 기간 밖에 보낸 거래입니다. 환불 대상 목록에 남습니다.'),
  REAUTH_REQUIRED: t('보안을 위해 비밀번호를 다시 입력해주세요.'),
  REFUND_MODE: t('환불 중인 이벤트에서는 할 수 없습니다.'),
  REFUND_TOTALS_CHANGED: t('환불 합계가 변경되었습니다. 새로고침 후 다시 확인해주세요.'),
  REFUNDS_PAUSED: t('환불이 일시 중지되었습니다. 운영 설정(REFUNDS_PAUSED)을 확인해주세요.'),
  RPC_DISAGREE: t('체인 노드들의 답이 서로 다릅니다. 잠시 후 다시 시도해주세요.'),
  TOO_MANY_PIXELS: t('이미지는 4천만 화소 이하여야 합니다.'),
  TOO_MANY_UNVERIFIED: t('확인 중인 거래가 너무 많습니다. 잠시 후 다시 시도해주세요.'),
  TRANSACTION_NOT_FOUND: t('거래를 찾을 수 없습니다 (transaction not found). 해시를 확인해주세요.'),
  TX_FAILED: t('체인에서 실패한 거래입니다. USDT가 움직이지 않았습니다.'),
  UNAUTHENTICATED: t('인증이 필요합니다. 다시 로그인해주세요.'),
  UPLOAD_USED: t('이미 사용된 업로드 주소입니다. 다시 시도해주세요.'),
  URL_TOO_LONG: t('주소가 너무 깁니다.'),
  VERSION_CONFLICT: t('다른 관리자가 먼저 설정을 바꿨습니다. 새 값을 확인한 뒤 다시 저장해주세요.'),
  WALLET_PINNED: t('운영자 지갑은 서버 설정으로 고정되어 있습니다.'),
  WRONG_PASSWORD: t('현재 비밀번호가 올바르지 않습니다.'),
}

/** @internal */
export const networkText = t('서버에 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도해주세요.')

/** Our sentence for the code, the server's where the code alone says too little, else `otherwise`. */
export function errorText(error: unknown, otherwise: string): string {
  if (error instanceof Trouble) return error.message
  if (!(error instanceof AdminError)) return isNetwork(error) ? networkText : otherwise
  const { code, status } = error
  if (isPlain(code)) return errorTexts[code]
  return withoutName(error) || (status >= 500 ? networkText : otherwise)
}

/** A refused value's sentence begins with the name that it has in the call; people see the field itself. */
const withoutName = ({ text, field }: AdminError): string | undefined =>
  field === undefined ? text : text?.replace(/^[\w.]+: /, '')

const isPlain = (code: string | undefined): code is keyof typeof errorTexts =>
  code !== undefined && Object.hasOwn(errorTexts, code)

/** `fetch` rejects with a TypeError, our own deadline with a TimeoutError. */
const isNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
