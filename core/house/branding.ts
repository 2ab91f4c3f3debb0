import { sha256, stringToBytes } from 'viem'

/** What the site is called and how it looks, as visitors are told; null is what the page was built with. */
export type PublicBranding = {
  name: string | null
  /** Shown in place of the drawn mark. */
  logo: { key: string; width: number; height: number } | null
  /** `#rrggbb` in lower case, in place of gold. */
  accent: string | null
  supportEmail: string | null
  socialUrl: string | null
  socialName: string | null
  shopUrl: string | null
  copyright: string | null
  /** Names the style sheet of the accent colour. */
  theme: string | null
}

export type Branding = Omit<PublicBranding, 'theme'>

export const asBuilt: Branding = {
  ...{ name: null, logo: null, accent: null, supportEmail: null },
  ...{ socialUrl: null, socialName: null, shopUrl: null, copyright: null },
}

export const noBranding: PublicBranding = { ...asBuilt, theme: null }

/** In characters. */
export const mostOf = { name: 40, supportEmail: 254, socialName: 40, copyright: 120 } as const

/** One address without anything that means more than an address in a `mailto:` link. */
export const isEmail = (value: string): boolean =>
  /^[\w.+-]{1,64}@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/i.test(value) &&
  value.length <= mostOf.supportEmail

export const isColour = (value: string): boolean => /^#[\da-f]{6}$/.test(value)

/** Of `site/src/shell/tokens.css`: what is printed on gold, and the darkest light paper that words in gold stand on. */
const print = '#1b1712'
const paper = '#e9e1d0'
/** WCAG 2.2, 1.4.3: text of any size. What is drawn needs 3:1; one property colours both. */
export const leastContrast = 4.5

/** A surface under print, its lighter half, and the shades of words and lines on light and dark paper. */
export function shadesOf(accent: string) {
  return {
    surface: accent,
    light: mixed(accent, '#ffffff', 0.55),
    onPaper: mixed(accent, print, 0.35),
    onDark: mixed(accent, '#ffffff', 0.65),
  }
}

export const contrastsOf = (accent: string) => ({
  button: contrast(print, accent),
  paper: contrast(shadesOf(accent).onPaper, paper),
})

export function troubleOf(accent: string): 'accentDark' | 'accentLight' | undefined {
  const { button, paper } = contrastsOf(accent)
  if (button < leastContrast) return 'accentDark'
  return paper < leastContrast ? 'accentLight' : undefined
}

/** The style sheet of an accent colour: what tokens.css derives from gold. Its selector is stronger, as a page may name it before its own styles. */
export function themeCss(accent: string): string {
  const { surface, light, onPaper, onDark } = shadesOf(accent)
  return `:root:root{--gold:${surface};--gold-light:${light};--gold-ink:light-dark(${onPaper},${onDark});--print-2:${print};--button-under:light-dark(${print},${onPaper})}\n`
}

/** Names the style sheet in its address, so that it is kept for good. */
export const themeName = (accent: string): string => sha256(stringToBytes(themeCss(accent))).slice(2, 18)

/** WCAG 2.2: from 1 to 21. @internal */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** `share` of the first colour, the rest of the second. */
function mixed(first: string, second: string, share: number): string {
  const others = channels(second)
  const parts = channels(first).map((channel, at) =>
    Math.round(channel * share + (others[at] ?? 0) * (1 - share)),
  )
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
