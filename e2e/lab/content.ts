import type { ContentPrize, EventContent, Picture } from '../../core/content/event-content.ts'

const said = (text: string) => ({ en: text, ko: `${text} (한국어)` })

/** Of no stored file. */
export const aPicture: Picture = {
  ...{ key: `${'0a'.repeat(16)}.jpg`, sha256: `0x${'5a'.repeat(32)}`, width: 1_200, height: 800 },
  alt: said('A bicycle by a wall'),
}

/** A prize of goods without pictures, but for what is named. */
export const aPrize = (change: Partial<ContentPrize> = {}): ContentPrize => ({
  name: said('Bicycle'),
  value: '$900',
  kind: 'goods',
  amount: null,
  copies: 1,
  about: said('A city bicycle.'),
  facts: [{ name: said('Gears'), value: said('8') }],
  pictures: [],
  ...change,
})

/** One bicycle, but for what is named. */
export const aContent = (change: Partial<EventContent> = {}): EventContent => ({
  title: { en: 'One bicycle,\ndrawn in public', ko: '자전거 한 대,\n공개 추첨' },
  lead: said('{price} USDT a ticket.'),
  summary: said('Tickets for a bicycle.'),
  prizes: [aPrize()],
  shipping: said('Sent within a week.'),
  links: [{ label: said('Maker'), url: 'https://maker.example/bicycle' }],
  ...change,
})

type Call = (
  method: 'GET' | 'PUT',
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown }>

/** The open event raffles so many of its first prize, through the administrator's calls; answers the status. */
export async function promiseCopies(call: Call, copies: number): Promise<number> {
  const { content, version } = (await call('GET', '/api/admin/raffle/content')).body as {
    content: EventContent
    version: number
  }
  const [first, ...others] = content.prizes
  const prizes = [{ ...first, copies }, ...others]
  const { status } = await call('PUT', '/api/admin/raffle/content', {
    content: { ...content, prizes },
    version,
  })
  return status
}
