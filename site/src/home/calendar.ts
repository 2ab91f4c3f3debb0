import { $now, serverNow } from '../live/clock.ts'
import { $config } from '../live/live.ts'
import { apiBase } from '../shell/api.ts'
import { lang } from '../texts/index.ts'

/** Sale end and draw as the server's calendar file; the buttons are disabled without a date, and once it has passed. */
export function startCalendar(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-calendar]')
  const update = () => {
    const { drawDate } = $config.get() ?? {}
    const isAhead = Boolean(drawDate) && Date.parse(drawDate as string) > serverNow()
    for (const button of buttons) if (button.disabled === isAhead) button.disabled = !isAhead
  }
  $config.subscribe(update)
  $now.listen(update)
  for (const button of buttons) button.addEventListener('click', saveDrawDate)
}

export function saveDrawDate(): void {
  const link = document.createElement('a')
  link.href = `${apiBase}/api/raffle/calendar/${$config.get()?.eventNumber}?lang=${lang}`
  link.download = ''
  link.target = '_blank' // where the API is on another origin an error is no page in place of this one
  link.click()
}
