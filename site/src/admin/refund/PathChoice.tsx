import { useStore } from '@nanostores/react'
import { payeesPerCall } from '../../../../core/refund/register-calls.ts'
import { count } from '../frame/numbers.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import styles from './PathChoice.module.css'
import type { RegisterState } from './signing/register.ts'
import type { SigningPath } from './signing/types.ts'
import { $path, refreshSigner, type Signer } from './signing-store.ts'

type Way = { path: SigningPath; name: string; text: string; signatures: number; whyNot: string | undefined }

type Props = { signer: Signer; rows: number; registerOnly: boolean }

const whyNoRegister: Record<Exclude<RegisterState, 'ready'>, string> = {
  missing: t('환불 컨트랙트가 아직 체인에 없습니다. 서명 한 번으로 올릴 수 있습니다.'),
  'no-deployer': t('이 체인에는 컨트랙트를 올리는 배포 컨트랙트가 없어 쓸 수 없습니다.'),
  different: t('컨트랙트 주소에 다른 코드가 있습니다. 쓰지 않습니다.'),
}

const noTransfers = t('이 지갑이 예전에 보낸 내역을 다 읽을 수 없어 환불 컨트랙트로만 보냅니다.')

/** The best path of this wallet is preselected; each shows its number of signatures. */
export function PathChoice({ signer, rows, registerOnly }: Props) {
  const chosen = useStore($path)
  const state = signer.facts?.register
  const calls = Math.ceil(rows / payeesPerCall)
  const ways: Way[] = [
    {
      ...{ path: 'register', name: t('환불 컨트랙트'), signatures: signer.canBatch ? calls : calls + 1 },
      text: t(
        '컨트랙트가 지급을 기억하므로 늦게 승인하거나 다시 승인해도 두 번 지급되지 않습니다. {payeesPerCall}명까지 한 거래로 보냅니다.',
        { payeesPerCall },
      ),
      whyNot:
        state === 'ready'
          ? undefined
          : state
            ? whyNoRegister[state]
            : t('컨트랙트를 아직 확인하지 못했습니다.'),
    },
    {
      ...{ path: 'batch', name: t('지갑 묶음'), signatures: Math.ceil(rows / 10) },
      text: t(
        '지갑이 열 건씩 한 번에 승인합니다(EIP-5792). 한 묶음은 모두 보내지거나 하나도 보내지지 않습니다.',
      ),
      whyNot: registerOnly
        ? noTransfers
        : signer.canBatch
          ? undefined
          : t('이 지갑은 묶음 승인을 지원하지 않습니다.'),
    },
    {
      ...{ path: 'single', name: t('한 건씩'), signatures: rows },
      text: t('주소마다 한 번 승인합니다. 어떤 지갑에서나 됩니다.'),
      whyNot: registerOnly ? noTransfers : undefined,
    },
  ]
  const [byRegister, , singly] = ways
  const best = rows === 1 && byRegister?.whyNot ? singly : ways.find(({ whyNot }) => !whyNot)
  const current = ways.find(({ path, whyNot }) => path === chosen && !whyNot) ?? best
  return (
    <details className={styles.path}>
      <summary>
        {rich('서명 방법 {name}, {signatures}회', {
          name: <b>{current?.name}</b>,
          signatures: count(current?.signatures ?? 0),
        })}
      </summary>
      <fieldset>
        <legend className="visually-hidden">{t('서명 방법')}</legend>
        {ways.map(({ path, name, text, signatures, whyNot }) => (
          <label key={path} className={whyNot ? styles.off : undefined}>
            <input
              type="radio"
              name="path"
              checked={current?.path === path}
              disabled={whyNot !== undefined}
              onChange={() => {
                $path.set(path === best?.path ? undefined : path)
                void refreshSigner()
              }}
            />
            <span>
              <b>{name}</b>{' '}
              {!whyNot && (
                <span className="figure">{t('{signatures}회', { signatures: count(signatures) })}</span>
              )}
              {path === best?.path && <span className="quiet"> {t('권장')}</span>}
              <small>{whyNot ?? text}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
