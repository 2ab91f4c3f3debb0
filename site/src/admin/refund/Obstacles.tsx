import { unitsText } from '../../../../core/money.ts'
import { Button } from '../frame/Button.tsx'
import { Note } from '../frame/Note.tsx'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { putRegister, revokeAllowance, type Signer, switchSigner } from './signing-store.ts'
import { exactUsdt } from './texts.ts'

/** Why nothing can be signed yet, each with what to do about it. */
export function Obstacles({ signer }: { signer: Signer }) {
  const [change, isChanging] = useAction(t('네트워크를 바꾸지 못했습니다'), switchSigner)
  const [revoke, isRevoking] = useAction(t('허용액을 회수하지 못했습니다'), revokeAllowance)
  const [put, isPutting] = useAction(t('환불 컨트랙트를 올리지 못했습니다'), putRegister)
  const { register, allowance = 0n } = signer.facts ?? {}
  return (
    <>
      {signer.facts?.obstacles.map((obstacle) => {
        switch (obstacle.kind) {
          case 'account':
            return (
              <Note key="account" tone="bad">
                {t('지갑에서 고른 계정이 운영자 지갑이 아닙니다. 지갑에서 계정을 바꾸세요.')}
              </Note>
            )
          case 'chain':
            return (
              <Note
                key="chain"
                tone="bad"
                action={
                  <Button tone="edged" size="small" isBusy={isChanging} onClick={() => void change()}>
                    {t('네트워크 바꾸기')}
                  </Button>
                }
              >
                {t('지갑이 BNB Smart Chain에 있지 않습니다.')}
              </Note>
            )
          case 'usdt':
            return (
              <Note key="usdt" tone="bad">
                {t('USDT가 {needed} 모자랍니다. 운영자 지갑에 채운 뒤 이어서 하세요.', {
                  needed: exactUsdt(obstacle.needed - obstacle.held),
                })}
              </Note>
            )
          case 'bnb':
            return (
              <Note key="bnb" tone="bad">
                {t('수수료로 쓸 BNB가 {needed} 모자랍니다.', {
                  needed: unitsText(obstacle.needed - obstacle.held, 6),
                })}
              </Note>
            )
          default:
            return null
        }
      })}
      {register === 'missing' && (
        <Note
          action={
            <Button tone="edged" size="small" isBusy={isPutting} onClick={() => void put()}>
              {t('컨트랙트 올리기')}
            </Button>
          }
        >
          {t(
            '두 번 지급되지 않게 기억하는 환불 컨트랙트가 아직 체인에 없습니다. 누구나 서명 한 번으로 같은 주소에 올릴 수 있고, 올린 뒤 코드를 비교합니다.',
          )}
        </Note>
      )}
      {register === 'different' && (
        <Note tone="bad">
          {t(
            '환불 컨트랙트의 주소에 우리 코드가 아닌 코드가 있습니다. 컨트랙트로 보내지 않습니다. 지갑이 BNB Smart Chain의 올바른 노드에 연결되어 있는지 확인하세요.',
          )}
        </Note>
      )}
      {register === 'no-deployer' && (
        <Note>
          {t(
            '환불 컨트랙트가 없고, 올리는 데 쓰는 배포 컨트랙트도 이 체인에 없습니다. 컨트랙트 없이 보냅니다.',
          )}
        </Note>
      )}
      {allowance > 0n && (
        <Note
          action={
            <Button tone="edged" size="small" isBusy={isRevoking} onClick={() => void revoke()}>
              {t('허용액 회수')}
            </Button>
          }
        >
          {t(
            '환불 컨트랙트에 {allowance} USDT의 허용액이 남아 있습니다. 다음 서명에서 보낼 금액으로 바꾸거나 0으로 되돌립니다.',
            { allowance: exactUsdt(allowance) },
          )}
        </Note>
      )}
    </>
  )
}
