import { replayEarly } from '../shell/early.ts'
import { startLanguage } from '../shell/language.ts'
import { startTheme } from '../shell/theme.ts'
import { followEvent } from './live-event.ts'

startTheme()
startLanguage()

/** A calendar that is subscribed to follows a date that is moved; a file would not. */
function linkCalendar(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-webcal]'))
    link.href = link.href.replace(/^https?:/, 'webcal:')
}
linkCalendar()
document.addEventListener('blockdraw:renewed', linkCalendar)

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
// What is over changes no more, so nothing is asked.
if (meta('event-running')) followEvent(Number(meta('event-number')))

replayEarly()
