import type { ContentPrize } from '../../../core/content/event-content.ts'
import { firstEventContent } from '../../../core/content/first-event.ts'

const petals = [0, 1, 2, 3, 4, 5, 6].map((petal) => petal * (360 / 7))
const topSlots = [0, 1, 2, 3, 4, 5]
const sideSlots = [52, 65, 79, 93, 107, 121, 134, 148, 162]

/** What stands where a prize has no picture, on pages and shared pictures: the inside of an SVG in `drawingBox`. */
export const drawingBox = '196 205 510 430'

/** The home miner of the first event, else a parcel. */
export function prizeDrawing(prize: ContentPrize | undefined, print: string, light: string): string {
  const isMiner = prize?.name.en === firstEventContent.prizes[0]?.name.en
  return `<g fill="none" stroke="${print}" stroke-width="3.500" stroke-linejoin="round" stroke-linecap="round"><path d="M242 487 208 509 448 627 462 612M254 487 460 607" stroke-width="2.500" stroke-dasharray="0.100 7"/><g fill="${light}"><path d="M432 218 656 347 466 457 242 329z"/><path d="M242 329 466 457V599L242 471z"/><path d="M656 347 466 457V599L656 489z"/></g>${isMiner ? miner(print, light) : ribbon(light)}</g>`
}

function miner(print: string, light: string): string {
  const top = topSlots.map((slot) => `<path d="M${448 - slot * 25} ${265 + slot * 14.6}l126 72.500"/>`)
  const blades = petals.map((turn) => `<ellipse cy="-21" rx="8" ry="14" transform="rotate(${turn})"/>`)
  const fans = [68, 159].map(
    (x) =>
      `<g transform="translate(${x} 70)"><circle r="43" stroke-width="3.500"/><circle r="38"/>${blades.join('')}<circle r="7" fill="${light}"/></g>`,
  )
  const side = sideSlots.map((x) => `<path d="M${x} 4v92"/>`)
  return `<g stroke-width="2.500">${top.join('')}<g transform="matrix(1 .5714 0 1 242 329)"><rect x="16" y="14" width="192" height="114" rx="6"/>${fans.join('')}</g><g transform="matrix(1 -.5789 0 1 466 457)">${side.join('')}<circle cx="27" cy="102" r="6" fill="${print}"/><circle cx="42" cy="101" r="5"/><path d="M21 117h68"/></g></g><path d="M650 466c32 8 46 36 30 58-14 20-32 34-26 52l5 16M646 592h26v22h-26zM653 614v11M665 614v11"/>`
}

const ribbon = (light: string): string =>
  `<g stroke-width="2.500"><path d="M530 274 340 385V527M558 290 368 401V543M323 281 547 410V552M351 265 575 394V536"/><g fill="${light}" stroke-width="3.500"><path d="M449 334C430 268 352 248 342 282s58 60 107 52zM449 334C468 268 546 248 556 282s-58 60-107 52z"/><circle cx="449" cy="332" r="13"/></g></g>`
