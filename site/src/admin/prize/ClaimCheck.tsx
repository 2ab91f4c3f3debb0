import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useState } from 'react'
import { normalizeClaimCode } from '../../../../core/prize/claim.ts'
import type { Answer } from '../../shell/answers.ts'
import { Row, Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api, call } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { Badge } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { text } from '../ui/fields.tsx'
import entryStyles from '../ui/form.module.css'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'

type Result = Answer<'post', '/api/admin/raffle/claim-code'> & { code: string }

const fields = {
  code: text({
    label: t('수령 코드'),
    placeholder: 'XXXX-XXXX-XXXX-XXXX',
    missing: t('수령 코드를 입력해주세요'),
    isMono: true,
    autoCapitalize: 'off',
  }),
}

/** Checks the code from a delivery form: was it issued to the wallet that paid? */
export function ClaimCheck({ eventNumber }: { eventNumber: number }) {
  const [result, setResult] = useState<Result>()
  const form = useDraft({
    isSent: true,
    isWhole: true,
    fields,
    async save({ code: typed }) {
      setResult(undefined)
      const code = normalizeClaimCode(typed ?? '')
      return { ...(await call(() => api.raffle['claim-code'].post({ eventNumber, code }))), code }
    },
    failure: t('수령 코드를 확인하지 못했습니다'),
    blame: (error) => ({ code: errorText(error, t('처리하지 못했습니다.')) }),
    done: setResult,
  })
  return (
    <Stack>
      <FormPlace of={form} className={entryStyles.entry}>
        <Fields of={form} names={['code']} />
        <Button type="submit" tone="edged" isBusy={form.isBusy}>
          {t('코드 확인')}
        </Button>
      </FormPlace>
      {result && <Finding result={result} />}
    </Stack>
  )
}

const Finding = ({ result: { code, isValid, winners, place, walletAddress } }: { result: Result }) => (
  <Row role="status">
    <b className="figure" translate="no">
      {code}
    </b>
    {isValid ? (
      <>
        <Badge tone="ok" icon={checkIcon}>
          {(winners ?? 1) > 1
            ? t('{winners}명 중 당첨자 {place}의 코드입니다', { winners: winners ?? 1, place: place ?? 1 })
            : t('당첨자의 코드입니다')}
        </Badge>
        <span className="figure break" translate="no">
          {walletAddress}
        </span>
      </>
    ) : (
      <Badge tone="bad">{t('당첨자의 코드가 아닙니다')}</Badge>
    )}
  </Row>
)
