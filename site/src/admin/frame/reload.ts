import { leaveNotice } from './token.ts'

/** Everything cached goes and the page begins anew; `notice` is told then. */
export async function reloadWith(notice: string): Promise<void> {
  leaveNotice(notice)
  if ('caches' in window)
    for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false)
  location.reload()
}
