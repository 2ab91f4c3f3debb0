import { Elysia } from 'elysia'
import type { Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { themeCss, themeName } from '../../core/house/branding.ts'
import { legalBytes } from '../../core/house/rules.ts'
import { getLegalText, listLegalVersions } from '../../db/house/rules.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { isClosedFor, visitorCountries } from '../http/client-address.ts'
import {
  answerFound,
  answerReady,
  forGood,
  forNow,
  type Ready,
  ready,
  readyJson,
  remember,
  rememberByVersion,
  shared,
} from '../http/ready.ts'
import { route } from '../http/route.ts'
import { legalInPath, legalList, legalText, themeQuery, visitor } from './schema.ts'

/** What the page shows of the rules of the land; the rules themselves are a part of the public state. */
export const houseRoutes = ({ db, state, addresses }: Pick<Deps, 'db' | 'state' | 'addresses'>) => {
  const countriesOf = visitorCountries(addresses)
  const texts = remember(async (sha256: string) => {
    const found = await getLegalText(db, sha256 as Hex)
    // Its name is its own: whoever has it has it for good.
    return found ? ready(legalBytes(found), { 'cache-control': forGood }, `"${sha256}"`) : undefined
  })
  const versions = rememberByVersion(
    () => state.version,
    async () => readyJson(await listLegalVersions(db), forNow),
  )
  return new Elysia()
    .get(
      '/theme.css',
      ...route({
        about: 'The accent colour for the page',
        more: 'The page names it with its hash, under which it is kept for good. 404 while no colour is set.',
        query: themeQuery,
        file: { type: 'text/css', about: 'Custom properties of both themes.' },
        also: notModified,
        refusals: ['NOT_FOUND'],
        run: ({ query: { v }, request }) => {
          const accent = state.current?.config.branding.accent
          if (!accent) throw new RaffleError('NOT_FOUND', { reason: 'page' })
          const caching = v === themeName(accent) ? forGood : shared
          const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': caching }
          return answerReady(request, ready(themeCss(accent), headers))
        },
      }),
    )
    .get(
      '/api/raffle/legal',
      ...route({
        about: 'All versions of the terms and of the privacy notice',
        answer: legalList,
        also: notModified,
        run: async ({ request }) => answerReady(request, (await versions(0)) as Ready),
      }),
    )
    .get(
      '/api/raffle/legal/:sha256',
      ...route({
        about: 'One version of the terms or of the privacy notice',
        more: 'The SHA-256 of these very bytes is its name. Kept for good, as buyers have accepted it.',
        params: legalInPath,
        answer: legalText,
        also: notModified,
        run: async ({ params: { sha256 }, request }) => answerFound(request, await texts(sha256), 'version'),
      }),
    )
    .get(
      '/api/visitor',
      ...route({
        about: 'Whether the page sells where this visitor is',
        more: 'Differs from one visitor to the next: no cache may keep it. False where no proxy of ours tells the country.',
        answer: visitor,
        run: ({ request, server }) => {
          const isCountryClosed = isClosedFor(
            countriesOf(request, server?.requestIP(request)?.address),
            state.snapshot()?.rules.closedCountries,
          )
          return Response.json({ isCountryClosed }, { headers: { 'cache-control': 'private, no-store' } })
        },
      }),
    )
}
