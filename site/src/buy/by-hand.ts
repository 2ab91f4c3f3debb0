import { fallback } from '../content/site.ts'
import { $gate } from '../house/gate.ts'
import { $link, $live } from '../live/live.ts'
import { restOf } from '../live/stage.ts'
import { t } from '../texts/index.ts'
import { showOperatorWallet } from '../wallet/operator-wallet.ts'
import { isSwapped } from '../wallet/pinned.ts'

/** The wallet while a payment gets a ticket, else why not; with the server away the built-in one, to compare. */
export function showByHand(now: number): void {
  const known = $live.get()
  const gate = $gate.get()
  const rest = restOf(known, now)
  if (rest) {
    sayInstead(t.rest[rest].text)
    showOperatorWallet(null, t.rest[rest].instead)
    return
  }
  if (gate.kind !== 'open') {
    sayInstead(gate.kind === 'closed' ? gate.text : '')
    showOperatorWallet(null, gate.instead)
    return
  }
  const isAway = !known.config && $link.get() === 'offline'
  sayInstead(isAway ? t.rest.away : '')
  if (known.config) showOperatorWallet(isSwapped(known.config) ? null : known.config.operatorWallet)
  else if (isAway) showOperatorWallet(fallback.operatorWallet)
}

function sayInstead(text: string): void {
  document.documentElement.toggleAttribute('data-shut', text !== '')
  for (const place of document.querySelectorAll('[data-instead]'))
    if (place.textContent !== text) place.textContent = text
}
