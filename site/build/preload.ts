const entry = /<script type="module" src="(\/_astro\/[^"]+)"/g
const imported = /(?:from|import)\s*"\.\/([^"]+\.js)"/g

/**
 * `html` that names what its scripts import, so that a browser asks for all of it at once, and after what the
 * first view is made of: it reads without them. `read` answers a file by its address.
 */
export const withPreloads = (html: string, read: (href: string) => Uint8Array): string =>
  html.replace(entry, (tag, href: string) => {
    const text = Buffer.from(read(href)).toString()
    const links = [...text.matchAll(imported)].map(
      ([, name]) => `<link rel="modulepreload" href="/_astro/${name}" fetchpriority="low">`,
    )
    return links.join('') + tag.replace('<script ', '<script fetchpriority="low" ')
  })
