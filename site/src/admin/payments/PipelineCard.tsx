import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { ChainHealth } from '../../../../core/chain-health.ts'
import { Retry, SkeletonRows } from '../frame/AsyncView.tsx'
import { Badge } from '../frame/Badge.tsx'
import { agoText, spanText, toField } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { count } from '../frame/numbers.ts'
import { Table } from '../frame/Table.tsx'
import type { Pipeline } from '../frame/types.ts'
import styles from './PipelineCard.module.css'
import { $pipeline, $pipelineTrouble, chainState, healthOf } from './pipeline.ts'

/** From the chain to the ticket: progress of the scan, and payments that wait. */
export function PipelineCard() {
  const pipeline = useStore($pipeline)
  const trouble = useStore($pipelineTrouble)
  const { tone, text } = chainState(pipeline, trouble)
  return (
    <ListCard
      title="처리 상태"
      reason="체인에서 티켓까지의 흐름입니다. 몇 초마다 새로 읽습니다."
      actions={<Badge tone={tone}>{text}</Badge>}
    >
      {trouble && (
        <div className="list-body">
          <Retry text={trouble} onRetry={() => location.reload()} />
        </div>
      )}
      {pipeline ? (
        <>
          <Facts pipeline={pipeline} />
          <Endpoints health={healthOf(pipeline)} />
        </>
      ) : (
        !trouble && (
          <div className="list-body">
            <SkeletonRows rows={3} />
          </div>
        )
      )}
    </ListCard>
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
    <dl className={styles.facts}>
      <Fact name="스캔한 블록" value={scan ? count(scan.height) : '없음'}>
        {scan ? `${toField(scan.blockTime)} UTC` : '첫 블록을 기다립니다.'}
      </Fact>
      <Fact name="스캔 지연" value={scan ? spanText(scan.lagSeconds) : '–'}>
        {scan ? `${agoText(scan.updatedSecondsAgo)} 갱신` : ''}
      </Fact>
      <Fact name="확정된 블록" value={health?.finalHeight ? count(Number(health.finalHeight)) : '–'}>
        {worker ? `작업자 보고 ${agoText(worker.secondsAgo)}` : '작업자 보고 없음'}
      </Fact>
      <Fact name="확인 중인 결제" value={`${count(claims.received + claims.confirming)}건`}>
        {claims.oldestSeconds === null
          ? '기다리는 결제가 없습니다.'
          : `가장 오래된 것 ${agoText(claims.oldestSeconds)}`}
      </Fact>
      <Fact name="보류" value={`${count(held)}건`}>
        운영자 지갑이나 0 주소가 보낸 결제
      </Fact>
      <Fact name="작업 대기열" value={queue ? `${count(waiting)}건` : '알 수 없음'}>
        {queue
          ? `대기 ${count(jobs.reduce((sum, counts) => sum + (counts.waiting ?? 0), 0))} · 처리 ${count(
              jobs.reduce((sum, counts) => sum + (counts.active ?? 0), 0),
            )}`
          : '대기열에 연결되지 않았습니다.'}
      </Fact>
    </dl>
  )
}

const Fact = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figure">{value}</dd>
    <dd className="hint">{children}</dd>
  </div>
)

type EndpointHealth = ChainHealth['endpoints'][number]

const states = {
  ok: ['ok', '정상'],
  unused: ['plain', '미사용'],
  failing: ['bad', '오류'],
  resting: ['wait', '쉬는 중'],
  aside: ['bad', '다른 답, 제외됨'],
} as const
const ways = { unknown: '확인 전', ranges: '로그 범위', receipts: '블록 영수증', none: '불가' } as const

function Endpoints({ health }: { health: ChainHealth | undefined }) {
  if (!health) return <p className="list-foot">체인 노드 상태를 아직 받지 못했습니다.</p>
  return (
    <Table<EndpointHealth>
      label="체인 노드"
      idOf={({ host }) => host}
      rows={health.endpoints}
      columns={[
        { name: '체인 노드', cell: ({ host }) => <span className="figure break">{host}</span> },
        {
          name: '상태',
          cell: ({ state }) => <Badge tone={states[state][0]}>{states[state][1]}</Badge>,
        },
        {
          name: '읽는 방법',
          cell: ({ logs, rangeBlocks }) =>
            logs === 'ranges' ? `${ways.ranges} ${count(rangeBlocks)}블록` : ways[logs],
        },
        {
          name: '마지막 오류',
          cell: ({ failures, lastFailure }) =>
            failures > 0 ? `${lastFailure ?? '오류'} (${count(failures)}회)` : '없음',
        },
      ]}
    />
  )
}
