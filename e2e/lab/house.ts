import { getHouseRules, type HouseRulesPatch, updateHouseRules } from '../../db/house/rules.ts'
import type { Db } from '../../db/index.ts'

/** Rules of the land, as an administrator would save them. */
export const switchRules = (db: Db, patch: HouseRulesPatch) =>
  db.transaction(async (tx) => {
    const { revision } = await getHouseRules(tx)
    return updateHouseRules(tx, patch, revision)
  })

/** As it is at first. */
export const noHouseRules: HouseRulesPatch = {
  ...{ minAge: null, requireAcceptance: false, closedCountries: [] },
  ...{ terms: null, privacy: null },
}
