import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { aContent, aPicture, aPrize } from './content.ts'

const printer = resolve(import.meta.dirname, '../../api/content/card-printer.ts')

/** What is shared of an event whose prize has this picture, as the API has it printed; and how much memory that took. */
export async function printCard(bytes: Uint8Array) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-cards-'))
  const content = aContent({ prizes: [aPrize({ pictures: [aPicture] })] })
  const told = { eventNumber: 1, content, ticketPrice: 300, drawDate: null, result: null, state: 'on-sale' }
  const input = join(dir, 'input.json')
  writeFileSync(
    input,
    JSON.stringify({ page: told, language: 'en', image: Buffer.from(bytes).toString('base64') }),
  )
  try {
    const child = Bun.spawn([process.execPath, printer, dir], {
      ...{ stdin: Bun.file(input), stdout: 'pipe', stderr: 'pipe' },
    })
    let mostKb = 0
    // What the kernel counts at its end begins with the process that started it.
    const watch = setInterval(() => {
      mostKb = Math.max(mostKb, peakOf(child.pid))
    }, 10)
    const [png, complaint] = await Promise.all([
      new Response(child.stdout).bytes(),
      new Response(child.stderr).text(),
    ])
    await child.exited
    clearInterval(watch)
    return { isPng: `${Buffer.from(png.slice(1, 4))}` === 'PNG', complaint, mostKb }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // it has ended
  }
}
