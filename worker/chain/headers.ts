import { agree, failed, unavailable } from './agree.ts'
import { blockPrint, blocksPrint, readBlock, readBlocks } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { isSealed } from './seal.ts'
import type { OnAlarm } from './set-aside.ts'
import type { Block } from './shapes.ts'

export type Headers = {
  /**
   * Consecutive final blocks, in the order given. One endpoint tells them, another one in each turn: their hashes are
   * those of their fields, each names the one before it, and two have the last one. Where no endpoint tells headers
   * whose hash can be recomputed they are asked of two.
   */
  read: (endpoints: readonly Endpoint[], numbers: readonly bigint[]) => Promise<Block[]>
  /** False for ten minutes after a header whose hash is not that of its fields: a false one, or a new form. */
  areKnown: () => boolean
}

const alarmEveryMs = 10 * 60_000

/** `final`: the block that two have just called final, which then needs no question. */
export function openHeaders(final: () => Block | undefined, now: () => number, onAlarm: OnAlarm): Headers {
  let turn = 0
  let alarmedAt = Number.NEGATIVE_INFINITY

  function alarm(host: string, { number }: Block): void {
    const isNew = now() - alarmedAt >= alarmEveryMs
    alarmedAt = now()
    if (!isNew) return
    onAlarm('header does not match its hash', { host, block: `${number}` })
  }

  async function read(endpoints: readonly Endpoint[], numbers: readonly bigint[]): Promise<Block[]> {
    const known = final()
    const [only, ...more] = numbers
    if (known && only === known.number && more.length === 0 && isSealed(known.told)) return [known]
    const failures: Record<string, string> = {}
    const start = turn++ % endpoints.length
    const inTurn = [...endpoints.slice(start), ...endpoints.slice(0, start)]
    let isUnknown = false
    for (const endpoint of inTurn) {
      try {
        const blocks = await readBlocks(endpoint, numbers)
        const open = blocks.find(({ told }) => !isSealed(told))
        if (open) {
          alarm(endpoint.host, open)
          isUnknown = true
          continue
        }
        expectChained(blocks)
        if (await isTip(inTurn, endpoint, blocks.at(-1) as Block, known)) return blocks
        failures[endpoint.host] = 'another block'
      } catch (error) {
        failures[endpoint.host] = failed(error)
      }
    }
    if (isUnknown) return readOfTwo(inTurn, numbers)
    throw unavailable(failures, 0)
  }
  return { read, areKnown: () => now() - alarmedAt >= alarmEveryMs }
}

/** Two say the same of every block, its filter included. */
async function readOfTwo(endpoints: readonly Endpoint[], numbers: readonly bigint[]): Promise<Block[]> {
  const print = (blocks: readonly Block[]) =>
    `${blocksPrint(blocks)}\n${blocks.map(({ bloom }) => bloom).join('\n')}`
  return (await agree(endpoints, (endpoint) => readBlocks(endpoint, numbers), print)) as Block[]
}

function expectChained(blocks: readonly Block[]): void {
  const isChained = blocks.every((block, index) => index === 0 || block.parent === blocks[index - 1]?.hash)
  if (!isChained) throw new RpcFailure('body')
}

/** Two have this block at its height. */
async function isTip(
  endpoints: readonly Endpoint[],
  teller: Endpoint,
  tip: Block,
  known: Block | undefined,
): Promise<boolean> {
  if (known?.number === tip.number && blockPrint(known) === blockPrint(tip)) return true
  const ask = async (endpoint: Endpoint) => (endpoint === teller ? tip : readBlock(endpoint, tip.number))
  const agreed = await agree(endpoints, ask, blockPrint)
  if (!agreed) throw new RpcFailure('behind')
  return blockPrint(agreed) === blockPrint(tip)
}
