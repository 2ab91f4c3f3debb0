import { followState } from '../live/follow-state.ts'
import { eventMark, followPage } from '../live/page-changes.ts'
import { replayEarly } from '../shell/early.ts'
import { startLanguage, startTheme } from '../shell/theme.ts'
import { startTooltips } from '../shell/tooltips.ts'

startTheme()
startTooltips()
startLanguage()

/** A calendar that is subscribed to follows a date that is moved; a file would not. */
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-webcal]'))
  link.href = link.href.replace(/^https?:/, 'webcal:')

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
const [, inAddress = ''] = /\/e\/(\d+)/.exec(location.pathname) ?? []
const isFilled = Boolean(meta('event-number'))
// The page as it was built stands for each of them while the server is away, and is loaded anew as soon as it answers.
if (!isFilled)
  for (const place of document.querySelectorAll('[data-slot="event-number"]')) place.textContent = inAddress
// What is over changes no more, so nothing is asked.
if (!isFilled || meta('event-running')) {
  followState(Number(inAddress))
  followPage({ markOf: eventMark })
}

replayEarly()
