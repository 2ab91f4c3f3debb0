import blocksIcon from 'lucide-static/icons/blocks.svg?raw'
import calendarIcon from 'lucide-static/icons/calendar-days.svg?raw'
import databaseIcon from 'lucide-static/icons/database.svg?raw'
import scrollIcon from 'lucide-static/icons/scroll-text.svg?raw'
import shieldIcon from 'lucide-static/icons/shield.svg?raw'
import slidersIcon from 'lucide-static/icons/sliders-horizontal.svg?raw'
import ticketIcon from 'lucide-static/icons/ticket.svg?raw'
import undoIcon from 'lucide-static/icons/undo-2.svg?raw'
import userIcon from 'lucide-static/icons/user-round.svg?raw'
import { t } from '../language/t.ts'

/** The nine tabs in their order; the id is what the address bar shows. */
export const tabs = [
  { id: 'config', title: t('기본 설정'), icon: slidersIcon },
  { id: 'blockchain', title: t('블록체인 관리'), icon: blocksIcon },
  { id: 'winner', title: t('블록체인 추첨'), icon: ticketIcon },
  { id: 'refund', title: t('환불 관리'), icon: undoIcon },
  { id: 'data', title: t('데이터 관리'), icon: databaseIcon },
  { id: 'history', title: t('추첨 기록'), icon: scrollIcon },
  { id: 'account', title: t('계정 관리'), icon: userIcon },
  { id: 'event', title: t('다음 이벤트'), icon: calendarIcon },
  { id: 'security', title: t('시스템 설정'), icon: shieldIcon },
] as const

export type TabId = (typeof tabs)[number]['id']

/** Why a payment got no ticket. */
export const reasonTexts: Record<string, string> = {
  late: t('판매 종료 후'),
  early: t('판매 시작 전'),
  underpaid: t('금액 부족'),
  reverted: t('실패한 거래'),
  no_transfer: t('송금 없음'),
  wrong_token: t('다른 토큰'),
  old_wallet: t('이전 지갑'),
  held: t('보류'),
  missed: t('추첨 뒤 발견'),
}
