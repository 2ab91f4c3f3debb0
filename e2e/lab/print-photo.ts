import { readFileSync } from 'node:fs'
import { printCards } from './share-card.ts'

/**
 * A process of its own, as what other tests do at the same time takes memory too: prints what is shared of an event
 * with the largest photo that may be uploaded, and says by how much it has grown for that.
 */
const bytes = await photo(6_300, 6_300)
Bun.gc(true)
const before = memoryKb()
let most = before
const watch = setInterval(() => {
  most = Math.max(most, memoryKb())
}, 5)
const { isComplete, lines, files } = await printCards(bytes)
clearInterval(watch)
console.log(JSON.stringify({ isComplete, lines, files: [...files].length, grownKb: most - before }))

function memoryKb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}

/** A picture of so many pixels, as an upload may be. */
function photo(width: number, height: number): Promise<Uint8Array> {
  const bitmap = Buffer.alloc(54 + Math.ceil((width * 3) / 4) * 4 * height, 0x7f)
  bitmap.fill(0, 0, 54)
  bitmap.write('BM')
  bitmap.writeUInt32LE(bitmap.length, 2)
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    bitmap.writeUInt32LE(value, at)
  bitmap.writeUInt16LE(1, 26)
  bitmap.writeUInt16LE(24, 28)
  return new Bun.Image(bitmap, { maxPixels: 40_000_000 }).jpeg({ quality: 80 }).bytes()
}
