/**
 * `html` with its style sheets written into it. The links stay as files for what loads later; addresses in the
 * styles are absolute already. `read` answers the text of a sheet by its address.
 */
export function inlineStyles(html: string, read: (href: string) => string): string {
  return html.replace(/<link rel="stylesheet" href="(\/[^"]+)"\s*\/?>/g, (_, href: string) => {
    const text = read(href).trim()
    if (/<\/style/i.test(text)) throw new Error(`${href} cannot be written into a page.`)
    return `<style>${text}</style>`
  })
}
