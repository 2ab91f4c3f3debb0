import { Elysia } from 'elysia'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { getHouseRules, type HouseRules, updateHouseRules } from '../../db/house/rules.ts'
import type { AdminCall, AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { visitorCountries } from '../http/client-address.ts'
import { houseRules, legalBody, legalBodyBytes, rulesBody } from './schema.ts'

/** Rules of the land: what is switched on, and the texts. */
export const houseAdminRoutes = ({ addresses }: Pick<Deps, 'addresses'>, guard: AdminGuard) => {
  const countriesOf = visitorCountries(addresses)
  const told = (rules: HouseRules, { request, server }: Pick<AdminCall, 'request' | 'server'>) => ({
    ...described(rules),
    countryHeader: addresses.countryHeader ?? null,
    ownCountries: countriesOf(request, server?.requestIP(request)?.address),
  })
  return new Elysia({ prefix: '/api/admin/house-rules' })
    .get(
      '',
      ...guard.read({
        about: 'Rules of the land as their form has them',
        answer: houseRules,
        run: async (call) => told(await getHouseRules(call.db), call),
      }),
    )
    .patch(
      '',
      ...guard.action({
        action: 'house.rules',
        about: 'Switches rules of the land on or off, for what is bought from now on',
        body: rulesBody,
        answer: houseRules,
        refusals: ['NO_CHANGES', 'VERSION_CONFLICT'],
        run: async ({ db, body: { version, ...patch }, record, ...call }) => {
          const { before, after } = await updateHouseRules(db, patch, version)
          record({ before: recorded(before), after: recorded(after) })
          return told(after, call)
        },
      }),
    )
    .put(
      '/texts',
      ...guard.action({
        action: 'house.text',
        about: 'Publishes a new version of the terms or of the privacy notice; null takes it down',
        body: legalBody,
        bodyBytes: legalBodyBytes,
        answer: houseRules,
        refusals: ['VERSION_CONFLICT'],
        values: async ({ db, body: { text } }) =>
          refuseOtherAddress(text, (await getOpenEvent(db))?.operatorWallet, 'text'),
        run: async ({ db, body: { kind, text, version }, record, ...call }) => {
          const { before, after } = await updateHouseRules(db, { [kind]: text }, version)
          record({ before: recorded(before), after: recorded(after) })
          return told(after, call)
        },
      }),
    )
}

function described({ revision, terms, privacy, ...switches }: HouseRules) {
  const text = (found: HouseRules['terms']) =>
    found && { en: found.en, ko: found.ko, sha256: found.sha256, savedAt: found.savedAt }
  return { ...switches, terms: text(terms), privacy: text(privacy), version: revision }
}

/** The texts by their names, under which they are kept. */
const recorded = ({ revision: _, terms, privacy, ...switches }: HouseRules) => ({
  ...switches,
  terms: terms?.sha256 ?? null,
  privacy: privacy?.sha256 ?? null,
})
