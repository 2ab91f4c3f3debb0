import { t } from '../texts/index.ts'

let shown: string | null = null

/** Writes the operator wallet with its first 6 and last 4 characters set off, to be compared by eye. */
export function showOperatorWallet(wallet: string | null): void {
  if (wallet === shown) return
  shown = wallet
  for (const place of document.querySelectorAll<HTMLElement>('[data-address]')) {
    place.textContent = ''
    if (wallet) place.append(strong(wallet.slice(0, 6)), wallet.slice(6, -4), strong(wallet.slice(-4)))
    else place.append(t.none.notSet)
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = wallet === null
}

/** Copy buttons say "Copied" for two seconds. */
export function startCopying(): void {
  document.addEventListener('click', async (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    const word = button?.querySelector('[data-copy-word]')
    if (!button || !word || !shown) return
    try {
      await navigator.clipboard.writeText(shown)
    } catch {
      return // Not allowed here; the address can still be marked by hand.
    }
    button.toggleAttribute('data-copied', true)
    word.textContent = t.copied
    setTimeout(() => {
      button.removeAttribute('data-copied')
      word.textContent = t.copy
    }, 2000)
  })
}

function strong(text: string): HTMLElement {
  const element = document.createElement('b')
  element.textContent = text
  return element
}
