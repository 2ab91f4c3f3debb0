import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docker } from './docker.ts'
import { expect, ourAddresses, root, type Stack, say } from './stack.ts'

export type Checkout = {
  /** Types a command there and returns what it prints; throws when it fails. */
  type: (command: string, cwd?: string) => Promise<string>
  newer: string
  older: string
}
let checkout: Checkout | undefined

/**
 * A checkout of its own in which the runbook's commands are typed: `v0.1.0` is the older release, `v0.2.0` the
 * commit that is checked out here.
 */
export async function openCheckout(stack: Stack): Promise<Checkout> {
  checkout ??= await make(stack)
  return checkout
}

async function make({ dir, project, files, env }: Stack): Promise<Checkout> {
  const place = join(dir, 'checkout')
  const vars = {
    ...{ ...process.env, ...env, COMPOSE_PROJECT_NAME: project, COMPOSE_HTTP_TIMEOUT: '300' },
    CDN_PROXIES: ourAddresses,
    // The chain is no part of the product: it comes from here in either release.
    COMPOSE_FILE: files.map((file) => (file.endsWith('/check.yaml') ? join(root, file) : file)).join(':'),
  }
  const type = async (command: string, cwd = place): Promise<string> => {
    const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', `${docker}\n${command}`], {
      ...{ cwd, env: vars, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    })
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`${command} failed:\n${out}${errors}`)
    return out
  }
  if (await type('git status --porcelain', root)) say('what is not committed is not part of the upgrade')
  const [newer, older] = [(await type('git rev-parse HEAD', root)).trim(), await olderRelease(type)]
  await type(`git clone -q ${root} ${place}`, dir)
  await type(
    `git checkout -q ${older} && git config user.name check && git config user.email check@localhost`,
  )
  await mend(place, type)
  await type(`git tag -f v0.1.0 && git tag -f v0.2.0 ${newer}`)
  await type('git checkout -q v0.2.0')
  return { type, newer, older }
}

/** OLDER_RELEASE or the tag if there is one, else the commit before the second migration of today, else the parent. */
async function olderRelease(type: (command: string, cwd: string) => Promise<string>): Promise<string> {
  const ask = async (command: string) => (await type(`${command} || true`, root)).trim()
  const named = process.env.OLDER_RELEASE || 'refs/tags/v0.1.0'
  const tag = await ask(`git rev-parse -q --verify ${named}^{commit}`)
  if (tag) return tag
  const file = await ask("git ls-tree --name-only HEAD db/generated/ | grep '/0001_'")
  const added = file && (await ask(`git log --diff-filter=A --format=%H HEAD -- ${file} | tail -1`))
  return ask(`git rev-parse ${added || 'HEAD'}^`)
}

/** Before the first tag the Dockerfile forgot a file that the pages need. */
async function mend(place: string, type: (command: string) => Promise<string>): Promise<void> {
  const file = join(place, 'infra/docker/Dockerfile')
  const text = readFileSync(file, 'utf8')
  if (text.includes('raffle-register.json')) return
  const line = 'COPY infra/caddy infra/caddy\n'
  expect(text.includes(line), 'the older release has another Dockerfile')
  writeFileSync(file, text.replace(line, `${line}COPY infra/contracts infra/contracts\n`))
  await type('git commit -qam "docker: copy the register\'s code"')
}
