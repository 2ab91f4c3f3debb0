import { useStore } from '@nanostores/react'
import { SessionList } from '../account/SessionList.tsx'
import { Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Note } from '../frame/Note.tsx'
import { $mustEnrol, call } from '../frame/session.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import { PasskeyGroup } from '../passkey/PasskeyGroup.tsx'
import { AdminList } from '../roles/AdminList.tsx'
import { AddressList } from './AddressList.tsx'
import { AuditLog } from './AuditLog.tsx'
import { OtpGroup } from './OtpGroup.tsx'

export function SecurityTab() {
  const mustEnrol = useStore($mustEnrol)
  const security = useResource(() => call(() => api.settings.get()))
  return (
    <>
      {mustEnrol && (
        <Note tone="bad" role="alert">
          <b>{t('2단계 인증이 필수입니다.')}</b> {t('아래에서 OTP를 설정해야 다른 메뉴를 쓸 수 있습니다.')}
        </Note>
      )}
      <Loaded from={security} rows={6}>
        {(data) => (
          <>
            <OtpGroup security={data} onChanged={security.reload} />
            <PasskeyGroup onChanged={security.reload} />
            {!mustEnrol && <AddressList security={data} onChanged={security.reload} />}
          </>
        )}
      </Loaded>
      {!mustEnrol && (
        <>
          <AdminList key={`${security.data?.otpConfirmed} ${security.data?.passkeys}`} />
          <SessionList />
          <AuditLog />
        </>
      )}
    </>
  )
}
