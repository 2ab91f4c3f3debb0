const entry = /<script type="module" src="(\/_astro\/[^"]+)"/g
const imported = /(?:from|import)\s*"\.\/([^"]+\.js)"/g

/**
 * `html` with a preload for each import of its scripts, so that a browser requests all of them at once. Their
 * priority is low, as the first view can be read without scripts. `read` returns a file by its address.
 */
export const withPreloads = (html: string, read: (href: string) => Uint8Array): string =>
  html.replace(entry, (tag, href: string) => {
    const text = Buffer.from(read(href)).toString()
    const links = [...text.matchAll(imported)].map(
      ([, name]) => `<link rel="modulepreload" href="/_astro/${name}" fetchpriority="low">`,
    )
    return links.join('') + tag.replace('<script ', '<script fetchpriority="low" ')
  })
