import { countries, oldestAge, youngestAge } from '../../../../core/house/rules.ts'
import type { Answer, Body } from '../../shell/answers.ts'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'

export type HouseRules = Answer<'get', '/api/admin/house-rules'>
export type RulesBody = Body<'patch', '/api/admin/house-rules'>
export type RulesDraft = {
  minAge: string
  countries: string
  requireAcceptance: boolean
}

export const draftOf = ({ minAge, closedCountries, requireAcceptance }: HouseRules): RulesDraft => ({
  minAge: minAge === null ? '' : `${minAge}`,
  countries: closedCountries.join(', '),
  requireAcceptance,
})

/** Codes as typed, in upper case, each once. */
export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

export function wrongFields({ minAge, countries: typed }: RulesDraft): {
  minAge?: string
  countries?: string
} {
  const age = minAge.trim()
  const isAge = /^\d{2}$/.test(age) && Number(age) >= youngestAge && Number(age) <= oldestAge
  const unknown = codesIn(typed).filter((code) => !countries.has(code))
  return {
    ...(age !== '' &&
      !isAge && {
        minAge: t('{youngestAge}에서 {oldestAge} 사이의 숫자를 입력하세요.', { youngestAge, oldestAge }),
      }),
    ...(unknown.length > 0 && {
      countries: t('ISO 3166-1 두 글자 국가 코드가 아닙니다: {unknown}', { unknown: unknown.join(', ') }),
    }),
  }
}

/** Only what differs; undefined while nothing does. */
export function changesIn(rules: HouseRules, draft: RulesDraft): Omit<RulesBody, 'version'> | undefined {
  const minAge = draft.minAge.trim() === '' ? null : Number(draft.minAge)
  const closedCountries = codesIn(draft.countries).sort()
  const changes = {
    ...(minAge !== rules.minAge && { minAge }),
    ...(`${closedCountries}` !== `${rules.closedCountries}` && { closedCountries }),
    ...(draft.requireAcceptance !== rules.requireAcceptance && {
      requireAcceptance: draft.requireAcceptance,
    }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

const names = new Intl.DisplayNames(language, { type: 'region' })
/** "대한민국 (KR)", of codes that exist. */
export const countryNames = (codes: readonly string[]): string =>
  codes
    .filter((code) => countries.has(code))
    .map((code) => `${names.of(code)} (${code})`)
    .join(', ')
