import { readdirSync } from 'node:fs'

/**
 * `bun run bench [name [arguments]]`: one benchmark, or all of them in turn. Each measures its own floor in
 * the same run; compare only ratios between machines.
 */
const [wanted, ...args] = process.argv.slice(2)
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))
if (wanted && !names.includes(wanted)) {
  console.error(`There is no benchmark "${wanted}": ${names.join(', ')}.`)
  process.exit(1)
}
for (const name of wanted ? [wanted] : names) {
  console.log(`\n# ${name}`)
  const { bench } = (await import(`./${name}.ts`)) as { bench: (args: string[]) => Promise<void> }
  await bench(args)
}
process.exit(0)
