import type { VerifyEvent } from '../../../core/verify/verify.ts'
import type { CheckTask, FromFrame, ListPiece, ToFrame } from './verifier.ts'

/** A frame that is loaded and says nothing for so long was not let in, or its script was not. */
const silenceMs = 5_000

/** In a frame of /check/, as this page connects to its own servers alone. Ends with the reader, or at the signal, which makes it throw. */
export async function* verifyInFrame(
  task: CheckTask,
  list: AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<VerifyEvent> {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  // A visitor's own node is often on the same machine, which browsers let a frame ask only where its page says so.
  frame.allow = 'local-network-access; local-network; loopback-network'
  frame.hidden = true
  frame.src = '/check/'
  const tell = (said: ToFrame) => frame.contentWindow?.postMessage(said, '*') // an opaque origin has no name
  const { said, close } = messagesOf(frame, signal)
  document.body.append(frame)
  try {
    for (;;) {
      const { value } = await said.read()
      if (value?.kind === 'ready') tell({ kind: 'check', task })
      else if (value?.kind === 'wantPiece') tell(await nextPiece(list))
      else if (value?.kind === 'event') yield value.event
      else if (value?.kind === 'done') return
      else throw new Error('The frame could not check the draw.')
    }
  } finally {
    close()
    frame.remove()
    void list.return(undefined).catch(() => undefined)
  }
}

function messagesOf(frame: HTMLIFrameElement, signal: AbortSignal) {
  const stop = new AbortController()
  const ended = { signal: stop.signal }
  const stream = new ReadableStream<FromFrame>({
    start(controller) {
      let isHeard = false
      const listen = ({ source, origin, data }: MessageEvent<FromFrame>) => {
        if (source !== frame.contentWindow || origin !== 'null') return
        isHeard = true
        controller.enqueue(data)
      }
      const fail = () => controller.error(new Error('The frame is silent.'))
      addEventListener('message', listen, ended)
      signal.addEventListener('abort', () => controller.error(signal.reason), ended)
      frame.addEventListener('load', () => setTimeout(() => isHeard || fail(), silenceMs), ended)
    },
  })
  return { said: stream.getReader(), close: () => stop.abort() }
}

async function nextPiece(list: AsyncGenerator<Uint8Array>): Promise<ListPiece> {
  try {
    const { value } = await list.next()
    return { kind: 'piece', bytes: value ?? undefined }
  } catch (error) {
    return { kind: 'piece', problem: error instanceof Error ? error.message : String(error) }
  }
}
