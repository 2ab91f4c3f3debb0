import refreshIcon from 'lucide-static/icons/refresh-cw.svg?raw'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { settingsFields } from '../event/settings-form.tsx'
import { t, words } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { type AuditItem, api, call } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { Badge, Fact, Folded } from '../ui/card.tsx'
import type { Field } from '../ui/draft.ts'
import { toStamp } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'

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

/** @internal */
export const actionTexts: Record<string, string> = words.auditActions

/** `outcome` is an HTTP status, or the result of a command on the server. @internal */
export const isDone = (outcome: string): boolean => outcome.startsWith('2') || outcome === 'cli'

export type AuditChange = { label: string; from?: string; to: string }

const labels: Record<string, string> = words.auditFields

function settingName(name: string): string | undefined {
  const event = $event.get()
  const fields: Record<string, Field> = event ? settingsFields(event, 0) : {}
  return fields[name]?.name ?? fields[name]?.label
}

const values: Record<string, Record<string, string>> = {
  secondFactor: { none: t('없음'), totp: t('인증 앱 코드'), recovery: t('복구 코드') },
  lastAction: actionTexts,
}

/** The row has its own time; counters and texts that follow from another field say nothing more. */
const untold = new Set(['updatedAt', 'version', 'walletProofMessage'])

/** An audit row by field: the changed ones, or all if none changed. A plain value is one field. @internal */
export function auditChanges(before: unknown, after: unknown): AuditChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !untold.has(name))
  const isSame = (name: string) => name in was && name in is && shown(was[name]) === shown(is[name])
  const changed = names.filter((name) => !isSame(name))
  return (changed.length > 0 ? changed : names).map((name) => {
    const label = labels[name] ?? settingName(name) ?? name
    const named = (value: unknown) => values[name]?.[`${value}`] ?? shown(value)
    if (!(name in was) || isSame(name)) return { label, to: named(is[name]) }
    return after === null
      ? { label, to: named(was[name]) }
      : { label, from: named(was[name]), to: named(is[name]) }
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('없음')
  if (typeof value === 'boolean') return value ? t('예') : t('아니요')
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return `${toStamp(value)} UTC`
  if (Array.isArray(value)) return value.length === 0 ? t('없음') : value.map(shown).join(', ')
  if (typeof value !== 'object') return String(value)
  const counts = Object.entries(value)
  return counts.every(([, count]) => typeof count === 'number')
    ? counts.map(([name, count]) => `${name} ${count}`).join(', ')
    : JSON.stringify(value)
}
