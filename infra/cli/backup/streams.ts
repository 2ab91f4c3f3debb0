import { Readable } from 'node:stream'

type WebStream = ReadableStream<Uint8Array>

/** The types of Node and of the platform differ where the streams do not. */
export const toWeb = (stream: Readable): WebStream => Readable.toWeb(stream) as unknown as WebStream
export const toNode = (stream: WebStream): Readable =>
  Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0])
