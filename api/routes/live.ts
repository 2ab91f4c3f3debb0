import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'

const heartbeatMs = 5_000

/** Server-sent events: a snapshot with the connection, then what changed. */
export const liveRoutes = ({ state }: Pick<Deps, 'state'>) =>
  new Elysia().get('/api/live', ({ request, server }) => {
    const snapshot = state.snapshot()
    if (!snapshot)
      throw new RaffleError('DB_UNAVAILABLE', 'The raffle is being loaded. Try again in a moment.')
    server?.timeout(request, 0)
    const encoder = new TextEncoder()
    let end = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const send = (event: string, data: { version: number }) =>
          write(`id: ${data.version}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        const leave = state.subscribe((change) => send('change', change))
        const heartbeat = setInterval(() => write(': \n\n'), heartbeatMs)
        end = () => {
          clearInterval(heartbeat)
          leave()
        }
        write(`retry: ${500 + Math.floor(Math.random() * 4_500)}\n`)
        send('snapshot', snapshot)
      },
      cancel: () => end(),
    })
    request.signal.addEventListener('abort', () => end())
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-accel-buffering': 'no',
      },
    })
  })
