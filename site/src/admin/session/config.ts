import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { $live } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { errorText } from '../ui/error-text.ts'
import { latestOnly, type Resource } from '../ui/resource.tsx'
import { type AdminConfig, api, call } from './session.ts'

export const $event = atom<AdminConfig | undefined>()
const $eventTrouble = atom('')

export const useEvent = (): Resource<AdminConfig> => ({
  ...{ data: useStore($event), trouble: useStore($eventTrouble), reload: loadEvent },
})

const begin = latestOnly()

export async function loadEvent(): Promise<void> {
  const isLatest = begin()
  try {
    const event = await call(() => api.raffle.config.get())
    if (!isLatest()) return
    $event.set(event)
    $eventTrouble.set('')
  } catch (error) {
    if (isLatest()) $eventTrouble.set(errorText(error, t('설정을 불러오지 못했습니다.')))
  }
}

export function followEvent(): () => void {
  let known = ''
  return $live.subscribe(({ config, drawStatus, winner, stats }) => {
    if (!config) return
    const isSold = (stats?.ticketsSold ?? 0) > 0
    const now = JSON.stringify([config, drawStatus, winner?.announcedAt, isSold])
    if (now === known) return
    known = now
    void loadEvent()
  })
}
