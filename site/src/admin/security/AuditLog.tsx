import refreshIcon from 'lucide-static/icons/refresh-cw.svg?raw'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { type AuditItem, api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Body, Fact, Folded } from '../ui/card.tsx'
import { toStamp } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { Badge } from '../ui/Note.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { actionTexts, auditChanges, isDone } from './audit-changes.ts'

/** Every action of administrators, refused calls too. No entry can be deleted. */
export const AuditLog = () => (
  <Folded
    title={t('감사 기록')}
    reason={t(
      '관리자 작업과 거절된 시도가 모두 남습니다. 로그인 전의 거절은 주소마다 1분에 한 줄로 셉니다. 지울 수 없습니다.',
    )}
  >
    <Entries />
  </Folded>
)

function Entries() {
  const [action, setAction] = useState('')
  const log = usePages<AuditItem>(
    (last) => call(() => api.audit.get({ query: { action, cursor: `${last?.id ?? ''}` } })),
    { query: action },
  )
  return (
    <>
      <Body>
        <Row>
          <Select
            isLabelled
            label={t('작업')}
            value={action}
            options={[['', t('전체')], ...Object.entries(actionTexts)]}
            onChange={setAction}
          />
          <Button tone="edged" size="small" icon={refreshIcon} onClick={() => void log.reload()}>
            {t('새로 읽기')}
          </Button>
        </Row>
      </Body>
      <List<AuditItem>
        label={t('감사 기록')}
        from={log}
        idOf={({ id }) => id}
        detail={changed}
        empty={t('기록이 없습니다.')}
        columns={[
          { name: t('시각 (UTC)'), cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
          { name: t('작업'), place: 'lead', cell: ({ action: code }) => actionTexts[code] ?? code },
          { name: t('관리자'), cell: ({ actor }) => (actor === 'anonymous' ? t('로그인 전') : actor) },
          { name: 'IP', cell: ({ clientAddress }) => <span className="figure">{clientAddress ?? '–'}</span> },
          {
            name: t('결과'),
            place: 'end',
            cell: ({ outcome }) => (
              <Badge tone={isDone(outcome) ? 'ok' : 'bad'}>
                {isDone(outcome)
                  ? t('완료')
                  : t('거절 {outcome}', { outcome: outcome.replace('cli refused', '') }).trim()}
              </Badge>
            ),
          },
        ]}
      />
    </>
  )
}

/** What it changed. */
function changed({ before, after }: AuditItem) {
  const changes = auditChanges(before, after)
  if (changes.length === 0) return <span className="hint">–</span>
  return (
    <dl className="summary size-14">
      {changes.map(({ label, from, to }) => (
        <Fact key={label} name={label}>
          {from !== undefined && <s className="muted">{from}</s>} {to}
        </Fact>
      ))}
    </dl>
  )
}
