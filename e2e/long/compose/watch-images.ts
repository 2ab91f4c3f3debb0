import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './engine.ts'
import { expect } from './stack.ts'

/** Debian's package of each image of the profile `monitoring`, and what that calls its program. */
const packages = {
  prometheus: ['prometheus', 'prometheus'],
  alertmanager: ['prometheus-alertmanager', 'alertmanager'],
  probe: ['prometheus-blackbox-exporter', 'blackbox_exporter'],
  machine: ['prometheus-node-exporter', 'node_exporter'],
} as const
type Name = keyof typeof packages
export const watchers = Object.keys(packages) as Name[]

/**
 * The images that compose.yaml names, as variables for it; where one cannot be had, one of Debian's packages that
 * starts like it, and a word about that.
 */
export async function watchImages(compose: string, dir: string) {
  const found = await Promise.all(
    watchers.map(async (name) => {
      const variable = `${name.toUpperCase()}_IMAGE`
      const image = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)?.[1] ?? ''
      expect(image, `compose.yaml has no ${variable}`)
      return { name, variable, image, isThere: await has(image) }
    }),
  )
  const env: Record<string, string> = {}
  const replaced = found.filter(({ isThere }) => !isThere)
  for (const { name, variable } of replaced) env[variable] = await build(name, dir)
  const word = replaced.length
    ? `${replaced.map(({ image }) => image).join(', ')} could not be had: Debian's packages in containers of the same settings; `
    : ''
  return { env, word }
}

const has = async (image: string): Promise<boolean> => {
  const ask = (...command: string[]) =>
    run('.', ['docker', ...command, image]).then(
      () => true,
      () => false,
    )
  return (await ask('image', 'inspect')) || ask('pull', '-q')
}

async function build(name: Name, dir: string): Promise<string> {
  const [debian, program] = packages[name]
  const tag = `blockdraw-${name}:check`
  const context = join(dir, `image-${name}`)
  mkdirSync(context)
  writeFileSync(
    join(context, 'Dockerfile'),
    `FROM debian:bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ${debian} >/dev/null \\
 && ln -sf "$(command -v ${debian})" /usr/local/bin/${program} \\
 && mkdir -p /prometheus /alertmanager && chown 65534:65534 /prometheus /alertmanager
USER 65534:65534
ENTRYPOINT ["${program}"]
`,
  )
  await run(dir, ['docker', 'build', '-q', '-t', tag, context])
  return tag
}
