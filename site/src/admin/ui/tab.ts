import { atom } from 'nanostores'
import { type TabId, tabs } from './content.ts'

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
