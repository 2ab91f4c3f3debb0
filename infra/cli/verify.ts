import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { verifyCommand } from './verify/command.ts'

/** Writes the command as one file for Node or Bun, which needs nothing beside it, and answers its SHA-256. */
export async function buildVerifier(file: string): Promise<string> {
  const entry = new URL('verify-alone.ts', import.meta.url).pathname
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'node', minify: { whitespace: true } })
  const text = `#!/usr/bin/env node\n${await outputs[0]?.text()}`
  writeFileSync(file, text)
  return createHash('sha256').update(text).digest('hex')
}

async function main([first, file, ...rest]: string[]): Promise<number> {
  if (first !== '--build' || !file || rest.length > 0)
    return verifyCommand(process.argv.slice(2), console.log)
  console.log(`${await buildVerifier(file)}  ${file}`)
  return 0
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
