/** The shapes inside a lucide file, without its svg element; the size and stroke are ours. */
export const iconBody = (svg: string): string =>
  svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .replace(/\s+/g, ' ')
    .trim()
