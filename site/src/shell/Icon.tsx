import { trustedMarkup } from './trusted.ts'

export const Icon = ({ svg, className = '' }: { svg: string; className?: string | undefined }) => (
  <svg
    className={`icon ${className}`}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of lucide-static, known at build time
    dangerouslySetInnerHTML={{ __html: iconBody(svg) }}
  />
)

/** Cached, as React writes an icon again when its markup is a different object. */
const bodies = new Map<string, string>()

/** The shapes inside a lucide file, without its svg element; the size and stroke are ours. */
function iconBody(svg: string): string {
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
