import blocksIcon from 'lucide-static/icons/blocks.svg?raw'
import calendarIcon from 'lucide-static/icons/calendar-days.svg?raw'
import databaseIcon from 'lucide-static/icons/database.svg?raw'
import scrollIcon from 'lucide-static/icons/scroll-text.svg?raw'
import shieldIcon from 'lucide-static/icons/shield.svg?raw'
import slidersIcon from 'lucide-static/icons/sliders-horizontal.svg?raw'
import ticketIcon from 'lucide-static/icons/ticket.svg?raw'
import undoIcon from 'lucide-static/icons/undo-2.svg?raw'
import userIcon from 'lucide-static/icons/user-round.svg?raw'
import { atom } from 'nanostores'
import { t } from '../language/t.ts'

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

const tabOf = (hash: string): TabId => tabs.find(({ id }) => `#${id}` === hash)?.id ?? 'config'

export const $tab = atom<TabId>('config')

/** Follows the address bar, so that a reload keeps the tab and the back button works. */
export function startTabs(): void {
  const read = () => $tab.set(tabOf(location.hash))
  window.addEventListener('hashchange', read)
  read()
}

export function openTab(id: TabId): void {
  if (id === $tab.get()) return
  $tab.set(id)
  history.pushState(null, '', `#${id}`)
}
