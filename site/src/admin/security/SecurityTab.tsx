import { useStore } from '@nanostores/react'
import { NotifySettings } from '../notify/NotifySettings.tsx'
import { PasskeyGroup } from '../passkey/PasskeyGroup.tsx'
import { AdminList } from '../roles/AdminList.tsx'
import { api } from '../session/api.ts'
import { $enrolment, call } from '../session/session.ts'
import { Loaded, useResource } from '../ui/resource.tsx'
import { AddressList } from './AddressList.tsx'
import { AuditLog } from './AuditLog.tsx'
import { OtpGroup } from './OtpGroup.tsx'
import { SessionList } from './SessionList.tsx'

export function SecurityTab() {
  const mustEnrol = useStore($enrolment) === 'due'
  const security = useResource(() => call(() => api.settings.get()))
  return (
    <>
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
          <NotifySettings />
          <AuditLog />
        </>
      )}
    </>
  )
}
