import { countries, oldestAge, youngestAge } from '../../../../core/house/rules.ts'
import type { Answer } from '../../shell/answers.ts'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { custom, text, toggle, whole } from '../ui/fields.tsx'

export type HouseRules = Answer<'get', '/api/admin/house-rules'>

export const ruleFields = (hasTerms: boolean) => ({
  minAge: whole({
    label: t('최소 나이'),
    ...{ min: youngestAge, max: oldestAge, suffix: t('세 이상') },
    hint: t('비워 두면 묻지 않습니다. 구매자가 스스로 확인하는 것이며 신분을 검증하지는 않습니다.'),
  }),
  requireAcceptance: toggle({
    label: t('첫 구매 전에 약관 동의 받기'),
    isBarred: !hasTerms,
    hint: hasTerms
      ? t('게시된 개인정보 처리방침이 있으면 함께 확인받습니다. 글이 바뀌면 다시 묻습니다.')
      : t('먼저 아래에서 이용약관을 게시하세요.'),
  }),
  closedCountries: custom<string, string[]>({
    ...text({
      label: t('판매하지 않는 국가'),
      hint: (typed) =>
        countryNames(codesIn(typed)) ||
        t('두 글자 국가 코드를 쉼표로 나누어 입력합니다. 비워 두면 모든 국가에 판매합니다.'),
      placeholder: 'KR, US',
      isMono: true,
    }),
    show: (saved) => (saved as string[]).join(', '),
    read: (typed) => {
      const codes = codesIn(typed)
      const unknown = codes.filter((code) => !countries.has(code))
      if (unknown.length === 0) return { value: codes.sort() }
      return {
        wrong: t('ISO 3166-1 두 글자 국가 코드가 아닙니다: {unknown}', { unknown: unknown.join(', ') }),
      }
    },
  }),
})

/** Codes as typed, in upper case, each once. */
export const codesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

const names = new Intl.DisplayNames(language, { type: 'region' })
/** "대한민국 (KR)", of codes that exist. */
export const countryNames = (codes: readonly string[]): string =>
  codes
    .filter((code) => countries.has(code))
    .map((code) => `${names.of(code)} (${code})`)
    .join(', ')
