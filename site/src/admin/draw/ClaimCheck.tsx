import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useState } from 'react'
import { normalizeClaimCode } from '../../../../core/prize/claim.ts'
import type { Answer } from '../../shell/answers.ts'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { Group } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { TextField } from '../ui/Field.tsx'

type Result = Answer<'post', '/api/admin/raffle/claim-code'> & { code: string }

/** Checks the code from a delivery form: was it issued to the wallet that paid? */
export function ClaimCheck({ eventNumber }: { eventNumber: number }) {
  const [number, setNumber] = useState(String(eventNumber))
  const [result, setResult] = useState<Result>()
  return (
    <Group
      title={t('수령 코드 확인')}
      reason={t(
        '당첨자는 결제한 지갑으로 서명하고 코드를 받아 배송 양식에 적습니다. 그 코드가 진짜인지 확인합니다.',
      )}
    >
      <Entry<Result>
        before={
          <TextField
            label={t('이벤트 번호')}
            inputMode="numeric"
            value={number}
            onChange={setNumber}
            isMono
          />
        }
        label={t('수령 코드')}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        missing={t('수령 코드를 입력해주세요')}
        check={() => (/^[1-9]\d{0,8}$/.test(number.trim()) ? undefined : t('이벤트 번호를 확인해주세요'))}
        isMono
        action={{
          name: t('코드 확인'),
          failure: t('수령 코드를 확인하지 못했습니다'),
          async run(typed) {
            setResult(undefined)
            const code = normalizeClaimCode(typed)
            const body = { eventNumber: Number(number), code }
            return { ...(await call(() => api.raffle['claim-code'].post(body))), code }
          },
          tone: 'edged',
        }}
        onDone={setResult}
      />
      {result && <Finding result={result} />}
    </Group>
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
