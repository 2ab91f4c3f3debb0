import { Address } from '../frame/Address.tsx'
import { inWords } from '../frame/dates.ts'
import { HashText } from '../frame/HashText.tsx'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import type { AnchorState } from '../frame/types.ts'
import { t } from '../language/t.ts'

/** The anchors found so far, and the server's key that makes them: its gas, and whether somebody else has it. */
export function AnchorKey({ state }: { state: AnchorState | undefined }) {
  if (!state) return null
  const { key, anchors, anchorWallet } = state
  return (
    <>
      {anchors.some(({ isForeign }) => isForeign) && (
        <Note tone="bad" role="alert">
          {t(
            '서버가 보내지 않은 지문을 서버의 고정 지갑이 기록했습니다. 키가 유출된 것입니다. 운영자 지갑으로 직접 고정하면 그 기록만 인정됩니다. 그 뒤 ANCHOR_KEY를 바꾸세요.',
          )}
        </Note>
      )}
      {key?.register === 'other' && (
        <Note tone="bad">{t('기록 컨트랙트의 주소에 다른 코드가 있어 고정할 수 없습니다.')}</Note>
      )}
      {anchors.length > 0 && (
        <ul aria-label={t('체인에서 찾은 기록')}>
          {anchors.map(({ transactionHash, walletAddress, at, counts }) => (
            <li key={transactionHash}>
              <HashText hash={transactionHash} head={14} />{' '}
              <span className="quiet">{t('{at} (한국)', { at: inWords(at) })}</span>{' '}
              {walletAddress === anchorWallet ? t('서버') : t('운영자 지갑')}
              {!counts && ` ${t('· 인정되지 않음')}`}
            </li>
          ))}
        </ul>
      )}
      {key ? (
        <div>
          <p className="field-label">{t('서버의 고정 지갑 (ANCHOR_KEY)')}</p>
          <Address value={key.walletAddress} label={t('주소 복사')} />
          <p className="quiet">
            {t('잔액 {balance} BNB · 약 {anchorsLeft}번 고정할 수 있습니다.', {
              balance: bnb(key.balanceWei),
              anchorsLeft: count(key.anchorsLeft),
            })}
          </p>
          {key.isLow && (
            <Note tone="bad">{t('수수료로 쓸 BNB가 부족합니다. 위 주소로 BNB를 조금 보내세요.')}</Note>
          )}
        </div>
      ) : (
        <p className="quiet">{t('ANCHOR_KEY를 설정하면 명단이 확정될 때 서버가 스스로 고정합니다.')}</p>
      )}
    </>
  )
}

/** Six places, cut. */
const bnb = (wei: string): string => {
  const micros = BigInt(wei) / 10n ** 12n
  return `${micros / 1_000_000n}.${`${micros % 1_000_000n}`.padStart(6, '0')}`
}
