import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { Empty, Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { ListCard } from '../frame/Group.tsx'
import { call } from '../frame/session.ts'
import type { Channel } from '../frame/types.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import { ChannelDialog } from './ChannelDialog.tsx'
import { ChannelList } from './ChannelList.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import styles from './Notify.module.css'

/** Who is told what happens, and whether it has arrived. */
export function NotifySettings() {
  const channels = useResource(() => call(() => api.channels.get()))
  const [edited, setEdited] = useState<Channel | 'new'>()
  const [turn, setTurn] = useState(0)
  const reload = async () => {
    setTurn((before) => before + 1)
    await channels.reload()
  }
  return (
    <div className={styles.both} id="notify">
      <ListCard
        title={t('알림')}
        reason={t('첫 결제부터 추첨, 환불, 로그인과 백업 문제까지 웹훅, 텔레그램, 이메일로 알립니다.')}
        actions={
          <Button need="channel.add" size="small" icon={plusIcon} onClick={() => setEdited('new')}>
            {t('채널 추가')}
          </Button>
        }
      >
        <Loaded from={channels} rows={2}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('알림 채널이 없습니다.')}>
                {t('채널을 추가하면 추첨할 때나 문제가 생겼을 때 바로 알 수 있습니다.')}
              </Empty>
            ) : (
              <ChannelList channels={list} onEdit={setEdited} onChanged={reload} />
            )
          }
        </Loaded>
      </ListCard>
      <DeliveryList turn={turn} onChanged={reload} />
      {edited && (
        <ChannelDialog
          channel={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={reload}
        />
      )}
    </div>
  )
}
