import { Address } from '../frame/Address.tsx'
import { errorText } from '../frame/error-text.ts'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import styles from './RunState.module.css'
import type { Run } from './signing-store.ts'
import { exactUsdt } from './texts.ts'

/** What the run does or why it has stopped, and the whole request, to compare it with the wallet's. */
export function RunState({ run }: { run: Run }) {
  const sum = run.current.reduce((total, { units }) => total + BigInt(units), 0n)
  const only = run.current.length === 1 ? run.current[0] : undefined
  const isBad = run.phase === 'stopped'
  return (
    <div className={styles.run}>
      <p className={styles.count}>
        {rich('보냄 {sent}, 서명', { sent: <b className="figure">{count(run.sent)}</b> })}{' '}
        <b className="figure">{count(run.signatures)}</b>
      </p>
      {isBad && run.obstacles.length > 0 ? null : (
        <Note tone={isBad ? 'bad' : 'plain'} role="status">
          {textOf(run)}
        </Note>
      )}
      {run.phase === 'wallet' && (
        <div className={styles.current}>
          {only ? (
            <Address value={only.to} label={t('주소 복사')} withCopy={false} />
          ) : (
            <p className="quiet">
              {run.path !== 'register'
                ? t('한 묶음으로 승인합니다.')
                : run.asks === 'allowance'
                  ? t('먼저 보낼 합계를 환불 컨트랙트에 허용합니다.')
                  : t('환불 컨트랙트가 한 거래로 보냅니다.')}
            </p>
          )}
          <p className={`figure ${styles.sum}`}>
            {!only && `${t('{count}건,', { count: count(run.current.length) })} `}
            {exactUsdt(sum)} USDT
          </p>
        </div>
      )}
    </div>
  )
}

function textOf({ phase, path, problem, error, current }: Run): string {
  switch (phase) {
    case 'idle':
    case 'working':
      return t('다음 요청을 준비하고 있습니다.')
    case 'wallet':
      return t('지갑에서 {count}건을 승인하세요. 주소와 금액이 아래와 같은지 확인하세요.', {
        count: count(current.length),
      })
    case 'chain':
      return t('보낸 거래가 확정되기를 기다립니다. 결과를 모르는 항목은 다시 보내지 않습니다.')
    case 'paused':
      return t('일시 중지했습니다. 이어서 하면 남은 것만 보냅니다.')
    case 'done':
      return t('보낼 수 있는 환불을 모두 보냈고, 체인에서 확정되었습니다.')
    case 'stopped':
      return problem === 'unknown' && path === 'register' ? unansweredText : stoppedText(problem, error)
  }
}

const unansweredText = t(
  '지갑의 답을 받지 못했습니다. 환불 컨트랙트가 지급을 기억하므로, 바로 다시 승인해도 두 번 지급되지 않습니다.',
)

function stoppedText(problem: Run['problem'], error: unknown): string {
  switch (problem) {
    case 'rejected':
      return t('지갑에서 거절했습니다. 아무것도 보내지 않았으므로 바로 다시 승인할 수 있습니다.')
    case 'unknown':
      return t(
        '지갑의 답을 받지 못했습니다. 이미 보냈을 수 있으므로 그 항목은 체인에서 확인될 때까지 다시 보내지 않습니다. 나머지는 이어서 승인할 수 있습니다.',
      )
    case 'not-allowed':
      return t(
        '허용이 체인에 오르지 않았거나 금액이 보낼 금액보다 적습니다. 아무것도 보내지 않았습니다. 다시 승인하세요.',
      )
    case 'not-offered':
      return t(
        '남은 환불은 지금 이 지갑으로 보낼 수 없습니다. 다른 지갑이 갚을 것이거나, 같은 사람의 다른 환불이 진행 중이거나, 체인이 받아들이지 않는 주소입니다.',
      )
    case 'no-register':
      return t(
        '환불 컨트랙트를 지금 확인할 수 없어 멈췄습니다. 지갑의 네트워크를 확인하고 이어서 하거나, 서명 방법에서 다른 방법을 보고 다시 승인하세요.',
      )
    case 'under-way':
      return t(
        '진행 중인 거래가 오랫동안 확정되지 않았습니다. 지갑에 멈춘 거래가 있는지, 다른 관리자가 서명하고 있는지 확인하세요.',
      )
    default:
      return errorText(error, t('서명이 멈췄습니다. 이어서 하면 남은 것만 보냅니다.'))
  }
}
