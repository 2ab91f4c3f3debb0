import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventPage, Picture } from '../../core/content/event-content.ts'
import { ShareCards } from '../../infra/publish/share/cards.ts'
import { aContent, aPicture, aPrize } from './content.ts'

/** As much of a page as is on a picture. */
const pageOf = (picture: Picture): EventPage => {
  const content = aContent({ prizes: [aPrize({ pictures: [picture] })] })
  return {
    eventNumber: 1,
    content,
    ticketPrice: 300,
    drawDate: null,
    result: null,
    state: 'on-sale',
  } as EventPage
}

/** Prints what is shared of an event whose prize has this picture. */
export async function printCards(bytes: Uint8Array) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-cards-'))
  mkdirSync(join(dir, '_publish'))
  const lines: string[] = []
  const cards = new ShareCards({ dir, log: (line) => lines.push(line) })
  try {
    const pictures = { path: ({ key }: Picture) => `/pictures/${key}`, bytes: () => bytes }
    const isComplete = await cards.print([pageOf(aPicture)], pictures, 60_000)
    return { isComplete, lines, files: cards.files() }
  } finally {
    cards.stop()
    rmSync(dir, { recursive: true })
  }
}
