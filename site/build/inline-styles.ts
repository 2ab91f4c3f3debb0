/** Faces of the first view; the one for Hangul is larger than the page, so only Korean pages have it. */
const faces = {
  en: /url\((\/_astro\/(?:besley|franklin|plex|korean-name)[^)]*\.woff2)\)/,
  ko: /url\((\/_astro\/(?:print-besley|franklin|plex|pretendard)[^)]*\.woff2)\)/,
}

/**
 * With its styles and first typefaces inside a page is laid out once and nothing moves; by `font-display: block`
 * show-when-unpacked.js knows those faces. `read` returns a file by its address.
 */
export function inlineStyles(html: string, read: (href: string) => Buffer): string {
  const wanted = html.includes('<html lang="ko"') ? faces.ko : faces.en
  const inlined = new Set<string>()
  const withFace = (rule: string) =>
    rule.replace(wanted, (_, href: string) => {
      inlined.add(href)
      return `url(data:font/woff2;base64,${read(href).toString('base64')})`
    })
  const withFaces = (css: string) =>
    css.replace(/@font-face\s*\{[^}]*\}/g, (rule) =>
      wanted.test(rule) ? withFace(rule).replace('font-display:swap', 'font-display:block') : rule,
    )
  const page = html.replace(/<link rel="stylesheet" href="(\/[^"]+)"\s*\/?>/g, (_, href: string) => {
    const text = read(href).toString().trim()
    if (/<\/style/i.test(text)) throw new Error(`${href} cannot be written into a page.`)
    return `<style>${withFaces(text)}</style>`
  })
  return page.replace(/<link rel="preload" href="([^"]+)" as="font"[^>]*>/g, (link, href: string) =>
    inlined.has(href) ? '' : link,
  )
}
