import type { BeaconState, PublicState } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { Address } from '../ui/address.tsx'
import { Badge, type Tone } from '../ui/Badge.tsx'
import { Body, Folded } from '../ui/card.tsx'
import { count } from '../ui/numbers.ts'
import { beaconText } from './draw-conditions.ts'

const words: Record<BeaconState, [Tone, string]> = {
  sealed: ['held', t('공개 전')],
  awaited: ['wait', t('서명 대기')],
  found: ['ok', t('확인됨')],
}

type Props = Pick<PublicState, 'config' | 'drawStatus'>

/** What an event that mixes drand in is drawn from: the five blocks first, then the round. */
export function BeaconCard({ config, drawStatus }: Props) {
  const { beacon, blockSeed } = drawStatus
  return (
    <Folded
      title={t('추첨 난수')}
      state={beacon && <Badge tone={words[beacon][0]}>{words[beacon][1]}</Badge>}
      reason={t(
        '블록 다섯 개의 해시와, 그 뒤에 공개되는 drand 회차를 섞습니다. 블록 시드가 먼저 공개됩니다.',
      )}
    >
      <Body>
        <div>
          <p className="field-label">{t('블록 시드 (SHA-256)')}</p>
          {blockSeed ? (
            <Address value={blockSeed} label={t('블록 시드 복사')} />
          ) : (
            <p className="quiet">{t('추첨 블록이 확정되면 여기에 나타납니다.')}</p>
          )}
        </div>
        <div>
          <p className="field-label">
            {t('drand 회차')}{' '}
            {config.beaconRound !== null && <span className="figure">{count(config.beaconRound)}</span>}
          </p>
          <p>{beaconText(drawStatus)}</p>
        </div>
      </Body>
    </Folded>
  )
}
