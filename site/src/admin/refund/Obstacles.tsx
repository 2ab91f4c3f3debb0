import { useStore } from '@nanostores/react'
import { unitsText } from '../../../../core/money.ts'
import { Button } from '../frame/Button.tsx'
import { Note } from '../frame/Note.tsx'
import { useAction } from '../frame/use-action.ts'
import { $desk } from './desk-store.ts'
import { type Signer, switchSigner, takeBackAllowance } from './signing-store.ts'

/** Why nothing can be signed yet, each with what to do about it. */
export function Obstacles({ signer }: { signer: Signer }) {
  const contract = useStore($desk)?.summary.disperseAddress
  const [change, isChanging] = useAction('네트워크를 바꾸지 못했습니다', switchSigner)
  const [takeBack, isTakingBack] = useAction('허용액을 회수하지 못했습니다', async () => {
    if (contract) await takeBackAllowance(contract)
  })
  return (
    <>
      {signer.facts?.obstacles.map((obstacle) => {
        switch (obstacle.kind) {
          case 'account':
            return (
              <Note key="account" tone="bad">
                지갑에서 고른 계정이 운영자 지갑이 아닙니다. 지갑에서 계정을 바꾸세요.
              </Note>
            )
          case 'chain':
            return (
              <Note
                key="chain"
                tone="bad"
                action={
                  <Button tone="edged" size="small" isBusy={isChanging} onClick={() => void change()}>
                    네트워크 바꾸기
                  </Button>
                }
              >
                지갑이 BNB Smart Chain에 있지 않습니다.
              </Note>
            )
          case 'usdt':
            return (
              <Note key="usdt" tone="bad">
                USDT가 {unitsText(obstacle.needed - obstacle.held, 2)} 모자랍니다. 운영자 지갑에 채운 뒤
                이어서 하세요.
              </Note>
            )
          case 'bnb':
            return (
              <Note key="bnb" tone="bad">
                수수료로 쓸 BNB가 {unitsText(obstacle.needed - obstacle.held, 6)} 모자랍니다.
              </Note>
            )
          default:
            return null
        }
      })}
      {signer.allowance > 0n && (
        <Note
          action={
            <Button tone="edged" size="small" isBusy={isTakingBack} onClick={() => void takeBack()}>
              허용액 회수
            </Button>
          }
        >
          나누어 보내는 컨트랙트에 {unitsText(signer.allowance, 2)} USDT의 허용액이 남아 있습니다. 다음 묶음에
          쓰이거나, 회수할 수 있습니다.
        </Note>
      )}
    </>
  )
}
