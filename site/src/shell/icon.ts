import { trustedMarkup } from './trusted.ts'

/** Cached, as React writes an icon again when its markup is a different object. */
const bodies = new Map<string, string>()

/** The shapes inside a lucide file, without its svg element; the size and stroke are ours. */
export function iconBody(svg: string): string {
  const known = bodies.get(svg)
  if (known !== undefined) return known
  const text = svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .replace(/\s+/g, ' ')
    .trim()
  const body = trustedMarkup(text)
  bodies.set(svg, body)
  return body
}
