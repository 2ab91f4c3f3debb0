import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import { $drawStatus } from '../../live/live.ts'
import { Icon } from '../../shell/Icon.tsx'
import { count } from '../frame/numbers.ts'
import styles from './Steps.module.css'
import type { DeskScope, DeskSummary } from './types.ts'

type State = 'done' | 'now' | 'ahead'

/** The steps of a refund, with their states. */
export function Steps({ scope, summary }: { scope: DeskScope; summary: DeskSummary }) {
  const isNoticed = useStore($drawStatus)?.refundNotice === true
  const { totalRefunds, done, underWay, held } = summary
  const isPrepared = totalRefunds > 0
  const toSign = totalRefunds - done.totalRefunds - underWay.totalRefunds
  const isSigned = isPrepared && toSign - held.totalRefunds === 0
  const isOver = isPrepared && done.totalRefunds === totalRefunds
  const steps: [string, string, State][] = [
    [
      '환불 준비',
      isPrepared ? `주소 ${count(totalRefunds)}개` : '체인 기록으로 만듭니다',
      isPrepared ? 'done' : 'now',
    ],
    ...(scope.kind === 'event'
      ? ([
          [
            '환불 공지',
            isNoticed ? '홈 화면에 나타납니다' : '선택, 맨 아래에서 켭니다',
            isNoticed ? 'done' : 'ahead',
          ],
        ] as [string, string, State][])
      : []),
    [
      '지갑에서 승인',
      isSigned
        ? '모두 보냈습니다'
        : isPrepared
          ? `${count(toSign - held.totalRefunds)}건 남음`
          : '준비한 뒤에',
      isSigned ? 'done' : isPrepared ? 'now' : 'ahead',
    ],
    [
      '체인에서 확인',
      isPrepared
        ? `확정 ${count(done.totalRefunds)} / ${count(totalRefunds)}${held.totalRefunds > 0 ? `, 보류 ${count(held.totalRefunds)}` : ''}`
        : '확정된 뒤에만 완료',
      isOver ? 'done' : isSigned ? 'now' : 'ahead',
    ],
  ]
  return (
    <section className={`card ${styles.steps}`} aria-label="환불 순서">
      <h2>환불 순서</h2>
      <ol className="steps">
        {steps.map(([title, text, state], index) => (
          <li key={title} data-state={state}>
            <span className="disc figure" aria-hidden="true">
              {state === 'done' ? <Icon svg={checkIcon} /> : index + 1}
            </span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
