import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import { Note } from '../ui/Note.tsx'
import rowStyles from '../ui/Rows.module.css'
import { Switch } from '../ui/select.tsx'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import styles from './HouseRules.module.css'
import {
  changesIn,
  codesIn,
  countryNames,
  draftOf,
  type HouseRules,
  type RulesDraft,
  wrongFields,
} from './rules-form.ts'

type Props = { rules: HouseRules; onSaved: () => Promise<void> }

export function RulesForm({ rules, onSaved }: Props) {
  const [edited, setEdited] = useState<Partial<RulesDraft>>({})
  const draft = { ...draftOf(rules), ...edited }
  const changes = changesIn(rules, draft)
  const wrong = wrongFields(draft)
  useLeaveWarning(changes !== undefined)
  const edit = (part: Partial<RulesDraft>) => setEdited({ ...edited, ...part })
  const [save, isSaving] = useAction(t('규칙을 저장하지 못했습니다'), async () => {
    try {
      await call(() => api['house-rules'].patch({ ...changes, version: rules.version }))
      setEdited({})
      showToast(t('규칙을 저장했습니다'), t('앞으로의 구매부터 적용됩니다.'), 'good')
    } finally {
      // After a conflict this loads what the other administrator saved.
      await onSaved()
    }
  })
  const closed = codesIn(draft.countries)
  const named = countryNames(closed)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(wrong).length > 0) focusWrong(event.currentTarget)
        else if (changes) void save()
      }}
    >
      <TextField
        label={t('최소 나이')}
        value={draft.minAge}
        onChange={(minAge) => edit({ minAge })}
        error={wrong.minAge}
        hint={t('비워 두면 묻지 않습니다. 구매자가 스스로 확인하는 것이며 신분을 검증하지는 않습니다.')}
        inputMode="numeric"
        autoComplete="off"
        isMono
        suffix={t('세 이상')}
      />
      <div className={styles.switch}>
        <Switch
          label={t('첫 구매 전에 약관 동의 받기')}
          isOn={draft.requireAcceptance}
          isDisabled={!rules.terms && !draft.requireAcceptance}
          onChange={(requireAcceptance) => edit({ requireAcceptance })}
        />
        <p className="hint">
          {rules.terms
            ? t('게시된 개인정보 처리방침이 있으면 함께 확인받습니다. 글이 바뀌면 다시 묻습니다.')
            : t('먼저 아래에서 이용약관을 게시하세요.')}
        </p>
      </div>
      <TextField
        label={t('판매하지 않는 국가')}
        value={draft.countries}
        onChange={(countries) => edit({ countries })}
        error={wrong.countries}
        hint={named || t('두 글자 국가 코드를 쉼표로 나누어 입력합니다. 비워 두면 모든 국가에 판매합니다.')}
        placeholder="KR, US"
        autoComplete="off"
        spellCheck={false}
        isMono
      />
      {closed.length > 0 && <Country rules={rules} />}
      <div className={rowStyles.row}>
        <Button writes type="submit" disabled={!changes} isBusy={isSaving}>
          {t('규칙 저장')}
        </Button>
      </div>
    </form>
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
