import { brandName } from '../live/brand.ts'
import { $now, serverNow } from '../live/clock.ts'
import { $config } from '../live/live.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'

/** The draw date as a calendar file; the buttons are disabled without a date, and once it has passed. */
export function startCalendar(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-calendar]')
  const update = () => {
    const { drawDate } = $config.get() ?? {}
    const isAhead = Boolean(drawDate) && Date.parse(drawDate as string) > serverNow()
    for (const button of buttons) if (button.disabled === isAhead) button.disabled = !isAhead
  }
  $config.subscribe(update)
  $now.listen(update)
  for (const button of buttons) button.addEventListener('click', () => void saveDrawDate())
}

export async function saveDrawDate(): Promise<void> {
  const { drawDate, eventNumber } = $config.get() ?? {}
  if (!drawDate) return
  const { calendarFile } = await import('../../../core/content/calendar.ts')
  const event = `${eventNumber}`
  const url = `${location.origin}${location.pathname}#winner`
  const file = calendarFile(
    [
      {
        id: `event-${event}-draw@${location.hostname}`,
        start: drawDate,
        title: fill(t.calendar.title, { event, name: brandName() }),
        text: fill(t.calendar.text, { url }),
        url,
      },
    ],
    new Date(),
  )
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }))
  link.download = `draw-${event}.ics`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
