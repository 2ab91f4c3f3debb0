import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
// Where it lies: in node_modules, or beside the program in an image.
import library from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }

/** Prints pictures one after the other, in faces that are handed over first: no font of the machine is used. */
type Message = { fonts: Uint8Array[] } | { name: string; svg: string }

let fonts: Uint8Array[] = []
const ready = Bun.file(new URL(library, import.meta.url))
  .arrayBuffer()
  .then(initWasm)

parentPort?.on('message', async (message: Message) => {
  if ('fonts' in message) {
    fonts = message.fonts
    return
  }
  const { name, svg } = message
  try {
    await ready
    const picture = new Resvg(svg, {
      font: { fontBuffers: fonts, defaultFontFamily: 'Pretendard' },
    })
    const image = picture.render()
    parentPort?.postMessage({ name, png: image.asPng() })
    image.free()
    picture.free()
  } catch (error) {
    parentPort?.postMessage({ name, trouble: String(error) })
  }
})
