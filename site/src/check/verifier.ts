import { type VerifyEvent, type VerifyInput, verifyDraw } from '../../../core/verify/verify.ts'
import { openNode } from './node.ts'

/* The script of /check/, one file: a frame of no origin, which alone may connect to any node and knows nothing else of its page. */

/** What the frame is to check, and the node to ask. The list follows in pieces. */
export type CheckTask = Pick<VerifyInput, 'proof' | 'known' | 'beacon'> & { endpoint: string }

/** The next bytes of the list; none where it has ended, or the problem that ended it. */
export type ListPiece = { kind: 'piece'; bytes?: Uint8Array | undefined; problem?: string }

export type ToFrame = { kind: 'check'; task: CheckTask } | ListPiece

/** What the frame says: it listens, it wants a piece of the list, the verifier's events, and that it has done all of it or cannot. */
export type FromFrame =
  | { kind: 'ready' | 'wantPiece' | 'done' | 'failed' }
  | { kind: 'event'; event: VerifyEvent }

/** Of the address: the origin of this page itself is opaque. */
const site = location.origin
const tell = (said: FromFrame): void => parent.postMessage(said, site)

let take: ((piece: ListPiece) => void) | undefined

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await new Promise<ListPiece>((resolve) => {
      take = resolve
      tell({ kind: 'wantPiece' })
    })
    if (piece.problem !== undefined) throw new Error(piece.problem)
    if (!piece.bytes) return
    yield piece.bytes
  }
}

async function check({ endpoint, ...task }: CheckTask): Promise<void> {
  try {
    for await (const event of verifyDraw({ ...task, list: pieces(), rpc: openNode(endpoint) }))
      tell({ kind: 'event', event })
    tell({ kind: 'done' })
  } catch {
    tell({ kind: 'failed' })
  }
}

addEventListener('message', ({ source, origin, data }: MessageEvent<ToFrame>) => {
  if (source !== parent || origin !== site) return
  if (data.kind === 'check') void check(data.task)
  else take?.(data)
})
tell({ kind: 'ready' })
