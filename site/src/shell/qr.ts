import { renderSVG } from 'uqr'
import { trustedMarkup } from './trusted.ts'

/** Loads with the first code. Dark on light in both themes, or cameras fail. */
export function drawQr(place: Element, text: string): void {
  const colours = { whiteColor: '#fffcf5', blackColor: '#1b1712' }
  place.innerHTML = trustedMarkup(renderSVG(text, { ecc: 'M', border: 3, ...colours }))
}
