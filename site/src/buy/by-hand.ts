import { fallback } from '../content/site.ts'
import { $gate } from '../house/gate.ts'
import { $link, $live } from '../live/live.ts'
import { restOf } from '../live/stage.ts'
import { t } from '../texts/index.ts'
import { showOperatorWallet } from '../wallet/operator-wallet.ts'
import { isSwapped } from '../wallet/pinned.ts'

/**
 * Shows the operator wallet to visitors who pay by hand, while a payment would get a ticket. Else what is said instead stands in
 * its place; with the server away, the wallet that the page was built with, to be compared and not to be paid to.
 */
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
