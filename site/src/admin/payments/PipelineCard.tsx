import { useStore } from '@nanostores/react'
import { atom, computed, onMount } from 'nanostores'
import type { ChainHealth } from '../../../../core/chain/chain-health.ts'
import { t } from '../language/t.ts'
import { api, call, type Pipeline } from '../session/session.ts'
import { Badge, Figure, Figures, Folded } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { agoText, count, spanText, toField } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Loaded } from '../ui/resource.tsx'

export function PipelineCard() {
  const pipeline = useStore($pipeline)
  const trouble = useStore($pipelineTrouble)
  const { tone, text } = useStore($chain)
  return (
    <Folded
      title={t('처리 상태')}
      state={<Badge tone={tone}>{text}</Badge>}
      reason={t('체인에서 티켓까지의 흐름입니다. 몇 초마다 새로 읽습니다.')}
      isOpen={tone === 'bad'}
    >
      <Loaded from={{ data: pipeline, trouble, reload: async () => location.reload() }} rows={3}>
        {(data) => (
          <>
            <Facts pipeline={data} />
            <Endpoints health={healthOf(data)} />
          </>
        )}
      </Loaded>
    </Folded>
  )
}

function Facts({ pipeline }: { pipeline: Pipeline }) {
  const { scan, claims, withoutTicket, worker, queue } = pipeline
  const health = healthOf(pipeline)
  const held = withoutTicket.held ?? 0
  const jobs = Object.values(queue ?? {}).filter((counts) => counts !== null && counts !== undefined)
  const waiting = jobs.reduce(
    (sum, counts) => sum + (counts.waiting ?? 0) + (counts.active ?? 0) + (counts.delayed ?? 0),
    0,
  )
  return (
    <Figures label={t('처리 상태')} isCard={false}>
      <Figure name={t('스캔한 블록')} value={scan ? count(scan.height) : t('없음')}>
        {scan ? `${toField(scan.blockTime)} UTC` : t('첫 블록을 기다립니다.')}
      </Figure>
      <Figure name={t('스캔 지연')} value={scan ? spanText(scan.lagSeconds) : '–'}>
        {scan ? t('{updatedSecondsAgo} 갱신', { updatedSecondsAgo: agoText(scan.updatedSecondsAgo) }) : ''}
      </Figure>
      <Figure name={t('확정된 블록')} value={health?.finalHeight ? count(Number(health.finalHeight)) : '–'}>
        {worker
          ? t('작업자 보고 {secondsAgo}', { secondsAgo: agoText(worker.secondsAgo) })
          : t('작업자 보고 없음')}
      </Figure>
      <Figure
        name={t('확인 중인 결제')}
        value={t('{received}건', { received: count(claims.received + claims.confirming) })}
      >
        {claims.oldestSeconds === null
          ? t('기다리는 결제가 없습니다.')
          : t('가장 오래된 것 {oldestSeconds}', { oldestSeconds: agoText(claims.oldestSeconds) })}
      </Figure>
      <Figure name={t('보류')} value={t('{held}건', { held: count(held) })}>
        {t('운영자 지갑이나 0 주소가 보낸 결제')}
      </Figure>
      <Figure
        name={t('작업 대기열')}
        value={queue ? t('{waiting}건', { waiting: count(waiting) }) : t('알 수 없음')}
      >
        {queue
          ? t('대기 {waiting} · 처리 {active}', {
              waiting: count(jobs.reduce((sum, counts) => sum + (counts.waiting ?? 0), 0)),
              active: count(jobs.reduce((sum, counts) => sum + (counts.active ?? 0), 0)),
            })
          : t('대기열에 연결되지 않았습니다.')}
      </Figure>
    </Figures>
  )
}

type EndpointHealth = ChainHealth['endpoints'][number]

const states = {
  ok: ['ok', t('정상')],
  unused: ['plain', t('미사용')],
  failing: ['bad', t('오류')],
  resting: ['wait', t('쉬는 중')],
  aside: ['bad', t('다른 답, 제외됨')],
} as const
const ways = {
  unknown: t('확인 전'),
  ranges: t('로그 범위'),
  receipts: t('블록 영수증'),
  none: t('불가'),
} as const

function Endpoints({ health }: { health: ChainHealth | undefined }) {
  if (!health) return <p className="muted">{t('체인 노드 상태를 아직 받지 못했습니다.')}</p>
  return (
    <Table<EndpointHealth>
      label={t('체인 노드')}
      idOf={({ host }) => host}
      rows={health.endpoints}
      columns={[
        { name: t('체인 노드'), cell: ({ host }) => <span className="figure break">{host}</span> },
        { name: t('상태'), cell: ({ state }) => <Badge tone={states[state][0]}>{states[state][1]}</Badge> },
        {
          name: t('읽는 방법'),
          cell: ({ logs, rangeBlocks }) =>
            logs === 'ranges'
              ? t('{ranges} {rangeBlocks}블록', { ranges: ways.ranges, rangeBlocks: count(rangeBlocks) })
              : ways[logs],
        },
        {
          name: t('마지막 오류'),
          cell: ({ failures, lastFailure }) =>
            failures > 0
              ? t('{lastFailure} ({failures}회)', {
                  lastFailure: lastFailure ?? t('오류'),
                  failures: count(failures),
                })
              : /^(contradiction|difference) /.test(lastFailure ?? '')
                ? lastFailure
                : t('없음'),
        },
      ]}
    />
  )
}

export const $pipeline = atom<Pipeline | undefined>()
const $pipelineTrouble = atom('')

const pipelineMs = 4_000

onMount($pipeline, () => {
  let timer: ReturnType<typeof setTimeout>
  const ask = async () => {
    try {
      if (document.visibilityState === 'visible') {
        $pipeline.set(await call(() => api.pipeline.get()))
        $pipelineTrouble.set('')
      }
    } catch (error) {
      $pipelineTrouble.set(errorText(error, t('상태를 불러오지 못했습니다.')))
    }
    timer = setTimeout(ask, pipelineMs)
  }
  void ask()
  return () => clearTimeout(timer)
})

export const $chain = computed([$pipeline, $pipelineTrouble], chainState)

function healthOf(pipeline: Pipeline | undefined): ChainHealth | undefined {
  const facts = pipeline?.worker?.facts
  // A worker of an earlier version may have said less.
  return Array.isArray(facts?.endpoints) ? facts : undefined
}

export type ChainState = {
  tone: 'ok' | 'wait' | 'bad'
  text: string
  /** It goes on meanwhile, but ends only if a person does something. */
  needsYou?: true
}

/** In a row. After five an endpoint is asked every two seconds at most: it has been silent for two minutes at least. */
const lastingFailures = 65

/** One badge for the chain. A worker without a report for 30 seconds counts as gone. @internal */
export function chainState(pipeline: Pipeline | undefined, trouble: string): ChainState {
  if (trouble) return { tone: 'bad', text: t('서버 연결 안 됨') }
  if (!pipeline) return { tone: 'wait', text: t('확인 중') }
  const health = healthOf(pipeline)
  if (!pipeline.worker || pipeline.worker.secondsAgo > 30) return { tone: 'bad', text: t('작업자 응답 없음') }
  if (health && !health.endpoints.some(({ state }) => state === 'ok' || state === 'unused'))
    return { tone: 'bad', text: t('체인 노드 연결 안 됨') }
  if (pipeline.waitingSeconds !== null) return { tone: 'bad', text: t('두 번째 노드 대기 중') }
  if (health?.endpoints.every(({ logs }) => logs === 'none'))
    return { tone: 'bad', text: t('결제를 읽을 수 없음') }
  if (health?.endpoints.some(({ state }) => state === 'aside'))
    return { tone: 'bad', text: t('다른 답을 한 노드 제외됨') }
  if (health?.isUnsafe) return { tone: 'bad', text: t('노드 업체 하나만 사용 중') }
  if (Math.abs(health?.skewSeconds ?? 0) > 5) return { tone: 'bad', text: t('체인과 시계가 다름') }
  const silent = health?.endpoints.filter(({ failures }) => failures >= lastingFailures) ?? []
  if (silent.length > 0) {
    const hosts = silent.map(({ host }) => host).join(', ')
    return { tone: 'wait', text: t('{hosts} 응답 없음', { hosts }), needsYou: true }
  }
  if (health?.isStalled) return { tone: 'wait', text: t('블록 확정 지연') }
  if (!pipeline.scan) return { tone: 'wait', text: t('첫 스캔 대기 중') }
  if (pipeline.scan.lagSeconds > 120) return { tone: 'wait', text: t('스캔 따라잡는 중') }
  return { tone: 'ok', text: t('체인 정상') }
}
