import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docker, run } from './engine.ts'
import { expect, ourAddresses, root, type Stack, say } from './stack.ts'

let checkout: ReturnType<typeof make> | undefined

/** Where the runbook's commands are typed: `v0.2.0` is this commit, `v0.1.0` another release of the same schema, with other files. */
export function openCheckout(stack: Stack): ReturnType<typeof make> {
  checkout ??= make(stack)
  return checkout
}

async function make({ dir, project, files, env }: Stack) {
  const place = join(dir, 'checkout')
  const vars = {
    ...{ ...process.env, ...env, COMPOSE_PROJECT_NAME: project, COMPOSE_HTTP_TIMEOUT: '300' },
    CDN_PROXIES: ourAddresses,
    // The chain is no part of the product: it comes from here in either release.
    COMPOSE_FILE: files.map((file) => (file.endsWith('/check.yaml') ? join(root, file) : file)).join(':'),
  }
  /** Types a command there and returns what it prints; throws when it fails. */
  const type = (command: string, cwd = place): Promise<string> =>
    run(cwd, ['bash', '-euo', 'pipefail', '-c', `${docker}\n${command}`], vars)
  if (await type('git status --porcelain', root)) say('what is not committed is not part of the upgrade')
  const newer = (await type('git rev-parse HEAD', root)).trim()
  await type(`git clone -q ${root} ${place}`, dir)
  await type(`git tag -f v0.2.0 ${newer}
    echo 'console.log("the release before")' | tee -a api/main.ts >> worker/main.ts
    echo 'console.log("the release before")' >> site/src/buy/BuyCounter.tsx
    git -c user.name=check -c user.email=check@localhost commit -qam 'the release before'
    git tag -f v0.1.0`)
  return { type, newer }
}

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
