import { useStore } from '@nanostores/react'
import { count } from '../frame/numbers.ts'
import styles from './PathChoice.module.css'
import type { SigningPath } from './signing/types.ts'
import { $path, type Signer } from './signing-store.ts'
import type { DeskSummary } from './types.ts'

type Way = { path: SigningPath; name: string; text: string; signatures: number; whyNot: string | undefined }

type Props = { signer: Signer; summary: DeskSummary; rows: number }

/** The best path of this wallet is preselected; each shows its number of signatures. */
export function PathChoice({ signer, summary, rows }: Props) {
  const chosen = useStore($path)
  const ways: Way[] = [
    {
      ...{ path: 'batch', name: '지갑 묶음', signatures: Math.ceil(rows / 10) },
      text: '지갑이 열 건씩 한 번에 승인합니다(EIP-5792). 한 묶음은 모두 보내지거나 하나도 보내지지 않습니다.',
      whyNot: signer.canBatch ? undefined : '이 지갑은 묶음 승인을 지원하지 않습니다.',
    },
    {
      ...{ path: 'disperse', name: '컨트랙트로 나누기', signatures: 2 * Math.ceil(rows / 300) },
      text: '합계만큼만 정확히 허용한 뒤 한 거래로 나누어 보냅니다. 300건까지 서명 두 번입니다.',
      whyNot: summary.disperseAddress ? undefined : '컨트랙트 주소(DISPERSE_ADDRESS)가 설정되지 않았습니다.',
    },
    {
      ...{ path: 'single', name: '한 건씩', signatures: rows },
      text: '주소마다 한 번 승인합니다. 어떤 지갑에서나 됩니다.',
      whyNot: undefined,
    },
  ]
  const best = rows === 1 ? ways[2] : ways.find(({ whyNot }) => !whyNot)
  const current = ways.find(({ path, whyNot }) => path === chosen && !whyNot) ?? best
  return (
    <details className={styles.path}>
      <summary>
        서명 방법 <b>{current?.name}</b>, {count(current?.signatures ?? 0)}회
      </summary>
      <fieldset>
        <legend className="visually-hidden">서명 방법</legend>
        {ways.map(({ path, name, text, signatures, whyNot }) => (
          <label key={path} className={whyNot ? styles.off : undefined}>
            <input
              type="radio"
              name="path"
              checked={current?.path === path}
              disabled={whyNot !== undefined}
              onChange={() => $path.set(path === best?.path ? undefined : path)}
            />
            <span>
              <b>{name}</b> {!whyNot && <span className="figure">{count(signatures)}회</span>}
              {path === best?.path && <span className="quiet"> 권장</span>}
              <small>{whyNot ?? text}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
