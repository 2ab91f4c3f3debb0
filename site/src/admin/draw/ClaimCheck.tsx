import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useState } from 'react'
import { normalizeClaimCode } from '../../../../core/prize/claim.ts'
import type { Answer } from '../../shell/answers.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { Group } from '../ui/Group.tsx'
import rowStyles from '../ui/Rows.module.css'
import { useAction } from '../ui/use-action.ts'
import styles from './ClaimCheck.module.css'

type Result = Answer<'post', '/api/admin/raffle/claim-code'>

/** Checks the code from a delivery form: was it issued to the wallet that paid? */
export function ClaimCheck({ eventNumber }: { eventNumber: number }) {
  const [number, setNumber] = useState(String(eventNumber))
  const [code, setCode] = useState('')
  const [result, setResult] = useState<Result>()
  const [error, setError] = useState<string>()
  const [check, isBusy] = useAction(t('수령 코드를 확인하지 못했습니다'), async () => {
    setResult(undefined)
    try {
      const body = { eventNumber: Number(number), code: normalizeClaimCode(code) }
      setResult(await call(() => api.raffle['claim-code'].post(body)))
    } catch (caught) {
      setError(errorText(caught, t('코드를 확인하지 못했습니다.')))
      throw caught
    }
  })
  return (
    <Group
      title={t('수령 코드 확인')}
      reason={t(
        '당첨자는 결제한 지갑으로 서명하고 코드를 받아 배송 양식에 적습니다. 그 코드가 진짜인지 확인합니다.',
      )}
    >
      <form
        className={rowStyles.stack}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!/^[1-9]\d{0,8}$/.test(number.trim())) return setError(t('이벤트 번호를 확인해주세요'))
          if (code.trim() === '') return setError(t('수령 코드를 입력해주세요'))
          setError(undefined)
          void check()
        }}
      >
        <div className={`${rowStyles.pair} ${styles.fields}`} data-tight>
          <TextField
            label={t('이벤트 번호')}
            inputMode="numeric"
            value={number}
            onChange={setNumber}
            isMono
          />
          <TextField
            label={t('수령 코드')}
            value={code}
            onChange={(value) => {
              setCode(value)
              setResult(undefined)
              setError(undefined)
            }}
            error={error}
            placeholder="XXXX-XXXX-XXXX-XXXX"
            autoComplete="off"
            spellCheck={false}
            isMono
          />
        </div>
        <div className={rowStyles.row}>
          <Button tone="edged" type="submit" isBusy={isBusy}>
            {t('코드 확인')}
          </Button>
          <span role="status" className={rowStyles.row}>
            {result?.isValid && (
              <>
                <Badge tone="ok" icon={checkIcon}>
                  {(result.winners ?? 1) > 1
                    ? t('{winners}명 중 당첨자 {place}의 코드입니다', {
                        winners: result.winners ?? 1,
                        place: result.place ?? 1,
                      })
                    : t('당첨자의 코드입니다')}
                </Badge>
                <span className="figure break">{result.walletAddress}</span>
              </>
            )}
            {result && !result.isValid && <Badge tone="bad">{t('당첨자의 코드가 아닙니다')}</Badge>}
          </span>
        </div>
      </form>
    </Group>
  )
}
