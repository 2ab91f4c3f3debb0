import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { Note } from '../ui/Note.tsx'
import { codesIn, countryNames, type HouseRules, ruleFields } from './rules-form.ts'

type Props = { rules: HouseRules; onSaved: () => Promise<void> }

export function RulesForm({ rules, onSaved }: Props) {
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
function Country({ rules: { countryHeader, ownCountries } }: { rules: HouseRules }) {
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
