import { signsOf } from '../../../../core/content/clean-text.ts'
import {
  countries,
  type LegalKind,
  mostLegalSigns,
  oldestAge,
  youngestAge,
} from '../../../../core/house/rules.ts'
import type { Answer } from '../../shell/answers.ts'
import { Muted } from '../../shell/Layout.tsx'
import { language, t } from '../language/t.ts'
import { api, call } from '../session/session.ts'
import { type Action, ActionButton, confirm } from '../ui/action.tsx'
import { Folded, Note } from '../ui/card.tsx'
import { custom, multiLine, text, toggle, whole } from '../ui/fields.tsx'
import { Fields, FormPlace, SaveRow, useDraft } from '../ui/form.tsx'
import { count, inWords } from '../ui/format.ts'
import { Loaded, useResource } from '../ui/resource.tsx'

export function HouseRules() {
  const rules = useResource(() => call(() => api['house-rules'].get()))
  return (
    <Folded
      title={t('법과 규칙')}
      state={rules.data && <Muted size={14}>{summaryOf(rules.data)}</Muted>}
      reason={t('켜면 앞으로의 구매부터 페이지가 지킵니다. 체인으로 들어온 돈은 그대로 인정되고 환불됩니다.')}
    >
      <Loaded from={rules}>
        {(data) => (
          <>
            <RulesForm rules={data} onSaved={rules.reload} />
            <p className="hint">
              {t(
                '두 언어를 함께 게시합니다. 저장할 때마다 새 버전이 되고, 이전 버전은 모두 공개로 남습니다. 구매자가 동의한 버전은 구매 기록과 함께 보관합니다.',
              )}
            </p>
            <LegalTextForm kind="terms" rules={data} onSaved={rules.reload} />
            <LegalTextForm kind="privacy" rules={data} onSaved={rules.reload} />
          </>
        )}
      </Loaded>
    </Folded>
  )
}

function summaryOf({ minAge, requireAcceptance, closedCountries }: Rules): string {
  const on = [
    ...(minAge === null ? [] : [t('{minAge}세 이상', { minAge })]),
    ...(requireAcceptance ? [t('약관 동의')] : []),
    ...(closedCountries.length === 0
      ? []
      : [t('판매하지 않는 국가 {count}곳', { count: closedCountries.length })]),
  ]
  return t('나이, 동의, 국가: {rules}', { rules: on.join(', ') || t('모두 꺼짐') })
}

function RulesForm({ rules, onSaved }: { rules: Rules; onSaved: () => Promise<void> }) {
  const form = useDraft({
    saved: rules,
    version: rules.version,
    fields: ruleFields(rules.terms !== null),
    save: (body) => call(() => api['house-rules'].patch(body)),
    reload: onSaved,
    failure: t('규칙을 저장하지 못했습니다'),
    told: () => [t('규칙을 저장했습니다'), t('앞으로의 구매부터 적용됩니다.')],
  })
  return (
    <FormPlace of={form}>
      <Fields of={form} names={['minAge', 'requireAcceptance', 'closedCountries']} />
      {codesIn(form.draft.closedCountries).length > 0 && <Country rules={rules} />}
      <SaveRow of={form} label={t('규칙 저장')} />
    </FormPlace>
  )
}

function Country({ rules: { countryHeader, ownCountries } }: { rules: Rules }) {
  if (countryHeader === null)
    return (
      <Note tone="bad">
        {t(
          '서버에 COUNTRY_HEADER가 설정되지 않아 방문자의 국가를 알 수 없습니다. 설정하기 전에는 어느 국가도 막히지 않습니다.',
        )}
      </Note>
    )
  if (ownCountries.length === 0)
    return (
      <Note tone="bad">
        {t(
          '지금 접속에는 {countryHeader} 헤더가 없거나 믿을 수 없는 곳에서 왔습니다. CDN 설정과 TRUSTED_PROXIES를 확인하세요.',
          { countryHeader },
        )}
      </Note>
    )
  return (
    <p className="hint">
      {t('지금 접속의 국가: {countryNames} ({countryHeader})', {
        countryNames: countryNames(ownCountries),
        countryHeader,
      })}
    </p>
  )
}

type LegalTextFormProps = { kind: LegalKind; rules: Rules; onSaved: () => Promise<void> }

const titles: Record<LegalKind, string> = { terms: t('이용약관'), privacy: t('개인정보 처리방침') }

/** One text in both languages; what is typed stays when the other form is saved. */
function LegalTextForm({ kind, rules, onSaved }: LegalTextFormProps) {
  const saved = rules[kind]
  const { version } = rules
  const title = titles[kind]
  const area = (language: string) =>
    multiLine({
      label: `${title} (${language})`,
      rows: 10,
      missing: t('영어와 한국어를 모두 입력하세요.'),
      hint: (typed) =>
        t('{signsOf} / {mostLegalSigns}자. 빈 줄로 문단을 나누고, “## ”로 시작하는 줄은 제목이 됩니다.', {
          signsOf: count(signsOf(typed)),
          mostLegalSigns: count(mostLegalSigns),
        }),
      check: (text) => (signsOf(text ?? '') > mostLegalSigns ? t('글이 너무 깁니다.') : undefined),
    })
  const form = useDraft({
    saved: saved ?? {},
    version,
    fields: { ko: area(t('한국어')), en: area(t('영어')) },
    isWhole: true,
    async ask() {
      const isSure = await confirm({
        title: t('{title} 새 버전 게시', { title }),
        body: t(
          '바로 공개되고, 동의를 받는 중이면 구매자에게 다시 묻습니다. 게시한 버전은 지울 수 없으며 누구나 볼 수 있습니다.',
        ),
        action: t('게시'),
      })
      return isSure ? {} : undefined
    },
    save: ({ en, ko }) =>
      call(() => api['house-rules'].texts.put({ kind, text: { en: en ?? '', ko: ko ?? '' }, version })),
    reload: onSaved,
    failure: t('{title}을 게시하지 못했습니다', { title }),
    told: () => [t('{title}을 게시했습니다', { title }), t('새 버전이 공개되었습니다.')],
  })
  return (
    <details>
      <summary>{title}</summary>
      <FormPlace of={form}>
        <p className="hint break">
          {saved
            ? t('게시 중: {sha256}, {savedAt} 저장', {
                sha256: saved.sha256,
                savedAt: inWords(saved.savedAt),
              })
            : t('게시된 글이 없습니다.')}
        </p>
        <Fields of={form} names={['ko', 'en']} />
        <SaveRow of={form} label={t('{title} 게시', { title })}>
          {saved && <ActionButton action={takeDown} row={{ kind, version }} onDone={onSaved} />}
        </SaveRow>
      </FormPlace>
    </details>
  )
}

const takeDown: Action<{ kind: LegalKind; version: number }> = {
  name: t('내리기'),
  failure: t('글을 내리지 못했습니다'),
  tone: 'danger-edged',
  writes: true,
  ask: ({ kind }) => ({
    title: t('{title} 내리기', { title: titles[kind] }),
    body: t('페이지와 링크에서 사라집니다. 지난 버전은 공개 기록으로 남습니다.'),
  }),
  run: ({ kind, version }) => call(() => api['house-rules'].texts.put({ kind, text: null, version })),
  told: ({ kind }) => [
    t('{title}을 내렸습니다', { title: titles[kind] }),
    t('지난 버전은 기록으로 남습니다.'),
  ],
}

type Rules = Answer<'get', '/api/admin/house-rules'>

/** @internal */
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

const codesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

const names = new Intl.DisplayNames(language, { type: 'region' })
/** "대한민국 (KR)", of codes that exist. @internal */
export const countryNames = (codes: readonly string[]): string =>
  codes
    .filter((code) => countries.has(code))
    .map((code) => `${names.of(code)} (${code})`)
    .join(', ')
