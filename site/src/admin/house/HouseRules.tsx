import { Row, Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Group } from '../ui/card.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { Note } from '../ui/Note.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { LegalTextForm } from './LegalTextForm.tsx'
import { codesIn, countryNames, type HouseRules as Rules, ruleFields } from './rules-form.ts'

/** Rules of the land: all off at first, each a switch with its sentence. */
export function HouseRules() {
  const rules = useResource(() => call(() => api['house-rules'].get()))
  return (
    <Group
      title={t('법과 규칙')}
      reason={t('켜면 앞으로의 구매부터 페이지가 지킵니다. 체인으로 들어온 돈은 그대로 인정되고 환불됩니다.')}
    >
      <Loaded from={rules}>
        {(data) => (
          <>
            <details>
              <summary>{summaryOf(data)}</summary>
              <RulesForm rules={data} onSaved={rules.reload} />
            </details>
            <details>
              <summary>{t('약관과 개인정보')}</summary>
              <Stack gap={16}>
                <p className="hint">
                  {t(
                    '두 언어를 함께 게시합니다. 저장할 때마다 새 버전이 되고, 이전 버전은 모두 공개로 남습니다. 구매자가 동의한 버전은 구매 기록과 함께 보관합니다.',
                  )}
                </p>
                <LegalTextForm kind="terms" rules={data} onSaved={rules.reload} />
                <LegalTextForm kind="privacy" rules={data} onSaved={rules.reload} />
              </Stack>
            </details>
          </>
        )}
      </Loaded>
    </Group>
  )
}

/** What is on, in one line. */
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

type Props = { rules: Rules; onSaved: () => Promise<void> }

function RulesForm({ rules, onSaved }: Props) {
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
    <FormPlace of={form} className="stack gap-20">
      <Fields of={form} names={['minAge', 'requireAcceptance', 'closedCountries']} />
      {codesIn(form.draft.closedCountries).length > 0 && <Country rules={rules} />}
      <Row>
        <Button writes type="submit" disabled={!form.isDirty} isBusy={form.isBusy}>
          {t('규칙 저장')}
        </Button>
      </Row>
    </FormPlace>
  )
}

/** Whether the country of visitors is known at all, by that of the administrator's own call. */
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
