export type LegalBlock = { kind: 'heading' | 'paragraph'; text: string }

/** Paragraphs have an empty line between them; a line that begins with `## ` is a heading. Anything else is text as it is. */
export function legalBlocks(text: string): LegalBlock[] {
  const blocks: LegalBlock[] = []
  let lines: string[] = []
  const close = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', text: lines.join('\n') })
    lines = []
  }
  for (const line of text.split('\n')) {
    const heading = /^## +(.+)$/.exec(line)?.[1]
    if (heading === undefined && line !== '') {
      lines.push(line)
      continue
    }
    close()
    if (heading !== undefined) blocks.push({ kind: 'heading', text: heading })
  }
  close()
  return blocks
}
