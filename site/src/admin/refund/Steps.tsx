import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import { $drawStatus } from '../../live/live.ts'
import { Icon } from '../../shell/Icon.tsx'
import { count } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
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
      t('환불 준비'),
      isPrepared
        ? t('주소 {totalRefunds}개', { totalRefunds: count(totalRefunds) })
        : t('체인 기록으로 만듭니다'),
      isPrepared ? 'done' : 'now',
    ],
    ...(scope.kind === 'event'
      ? ([
          [
            t('환불 공지'),
            isNoticed ? t('홈 화면에 나타납니다') : t('선택, 맨 아래에서 켭니다'),
            isNoticed ? 'done' : 'ahead',
          ],
        ] as [string, string, State][])
      : []),
    [
      t('지갑에서 승인'),
      isSigned
        ? t('모두 보냈습니다')
        : isPrepared
          ? t('{toSign}건 남음', { toSign: count(toSign - held.totalRefunds) })
          : t('준비한 뒤에'),
      isSigned ? 'done' : isPrepared ? 'now' : 'ahead',
    ],
    [
      t('체인에서 확인'),
      isPrepared
        ? t('확정 {done} / {all}{held}', {
            done: count(done.totalRefunds),
            all: count(totalRefunds),
            held: held.totalRefunds > 0 ? t(', 보류 {held}', { held: count(held.totalRefunds) }) : '',
          })
        : t('확정된 뒤에만 완료'),
      isOver ? 'done' : isSigned ? 'now' : 'ahead',
    ],
  ]
  return (
    <section className={`card ${styles.steps}`} aria-label={t('환불 순서')}>
      <h2>{t('환불 순서')}</h2>
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
