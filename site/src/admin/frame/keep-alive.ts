import { api } from './api.ts'
import { call } from './session.ts'

const everyMs = 60_000

/**
 * What the dashboard asks for by itself keeps no session alive, so a hand at the keyboard or mouse says so: at
 * most once a minute.
 */
export function startKeepAlive(): void {
  let last = Date.now()
  const used = () => {
    if (Date.now() - last < everyMs) return
    last = Date.now()
    void call(() => api.me.get()).catch(() => undefined)
  }
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, used, { passive: true })
}
