import { $isOpenWanted } from '../content/content-store.ts'
import { $event } from '../session/config.ts'
import { openTab, type TabId } from '../ui/tab.ts'
import type { SetupStep } from './put-away.ts'

type Place = { tab: TabId; id?: string }

/**
 * Where each step is done; `id` is a part of that tab. A backup is not made here, and a content not where the open event's is
 * locked.
 */
const places: Record<Exclude<SetupStep, 'backup'>, Place> = {
  password: { tab: 'account' },
  otp: { tab: 'security' },
  addresses: { tab: 'security' },
  wallet: { tab: 'config', id: 'operator-wallet' },
  providers: { tab: 'blockchain' },
  anchor: { tab: 'winner' },
  alert: { tab: 'security', id: 'notify' },
  content: { tab: 'event', id: 'content-open' },
  date: { tab: 'config', id: 'draw-date' },
}

const lookMs = 50
const givesUpMs = 10_000

/** Opens the tab, and once its part is there brings that into view; the keyboard goes on from there. */
export async function goToStep(step: keyof typeof places): Promise<void> {
  const { tab, id } = step === 'content' ? contentPlace() : places[step]
  openTab(tab)
  const place = await found(id ? `#${id}` : '#main h1')
  if (!place) return
  const within = place.querySelector('form') ?? place
  const field = within.querySelector<HTMLElement>('input:not([readonly]), textarea, button')
  if (id) place.scrollIntoView({ block: 'start' })
  ;(field ?? place).focus({ preventScroll: id !== undefined })
}

/** Once a ticket is sold, the next event's is the first that can be written. */
function contentPlace(): Place {
  if ($event.get()?.lockedAt) return { ...places.content, id: 'content-next' }
  $isOpenWanted.set(true)
  return places.content
}

/** A tab loads what it shows first. */
async function found(selector: string): Promise<HTMLElement | undefined> {
  for (let waited = 0; waited < givesUpMs; waited += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    const place = document.querySelector<HTMLElement>(selector)
    if (place) return place
  }
  return undefined
}
