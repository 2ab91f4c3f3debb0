import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, root } from './stack.ts'

const read = (page: string): string => readFileSync(join(root, `docs/run/${page}.md`), 'utf8')

/** The lines of the block that follows this sentence. */
export function commandsOf(page: string, sentence: string): string[] {
  const block = read(page).split(`${sentence}\n\n`)[1]?.split('\n\n')[0] ?? ''
  const lines = block.split('\n').filter((line) => line.startsWith('    '))
  expect(lines.length > 0, `the runbook has no commands after "${sentence}"`)
  return lines.map((line) => line.trim())
}

/** What a section has in code, in a line of its own or within one, that looks like this; without its comment. */
export function codeOf(page: string, section: string, like: RegExp): string[] {
  const text = new RegExp(`\\n##+ ${section}\\n([\\s\\S]*?)(?=\\n##+ |$)`).exec(read(page))?.[1] ?? ''
  const found = [...text.matchAll(/^ {4}(\S.*)$|`([^`\n]+)`/gm)]
    .map(([, line, inside]) => (line ?? inside ?? '').replace(/\s+#.*/, ''))
    .filter((code) => like.test(code))
  expect(found.length > 0, `the runbook has nothing like ${like} in "${section}"`)
  return found
}
