import { useStore } from '@nanostores/react'
import ipaddr from 'ipaddr.js'
import eyeIcon from 'lucide-static/icons/eye.svg?raw'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { answerOf, api } from '../session/api.ts'
import { $enrolment, $readOnly, putOffEnrolment } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { useResource } from '../ui/resource.tsx'
import { $tab, openTab } from '../ui/tab.ts'

/** After each login without a second factor: asks to set one up, which a trial on this machine alone may put off. */
export function Enrolment() {
  const enrolment = useStore($enrolment)
  const isThere = useStore($tab) === 'security'
  if (enrolment === 'done') return null
  const mayWait = enrolment === 'asked'
  return (
    <Note
      tone={mayWait ? 'plain' : 'bad'}
      role={mayWait ? 'status' : 'alert'}
      action={
        <Row gap={8}>
          {!isThere && (
            <Button size="small" onClick={() => openTab('security')}>
              {t('지금 설정')}
            </Button>
          )}
          {mayWait && (
            <Button tone="plain" size="small" onClick={putOffEnrolment}>
              {t('나중에')}
            </Button>
          )}
        </Row>
      }
    >
      <b>{t('2단계 인증이 없습니다.')}</b>{' '}
      {mayWait
        ? t('지금은 비밀번호만 새어도 누구나 들어올 수 있습니다. OTP나 패스키를 설정하세요.')
        : t('OTP나 패스키를 설정해야 다른 메뉴를 쓸 수 있습니다.')}
    </Note>
  )
}

/** A read-only administrator sees everything and changes nothing. */
export function ReadOnlyNote() {
  if (!useStore($readOnly)) return null
  return (
    <Note icon={eyeIcon}>
      <b>{t('읽기 전용')}</b> {t('모든 내용을 볼 수 있고, 바꾸는 버튼은 꺼져 있습니다.')}
    </Note>
  )
}

/** Warns where the server sees a proxy in place of this visitor: then all visitors share one address. */
export function OwnAddress() {
  const { data } = useResource(() => answerOf(api['check-access'].get()))
  if (!data || !isProxyAddress(data.ip, location.hostname)) return null
  return (
    <Note tone="bad" role="status">
      <b>{t('서버가 이 접속을 내부 주소 {ip}(으)로 보고 있습니다.', { ip: data.ip })}</b>{' '}
      {t(
        '모든 방문자가 같은 주소로 보이면 접속 제한과 IP 화이트리스트가 제대로 동작하지 않습니다. TRUSTED_PROXIES와 CDN_PROXIES, 서버의 IPv6 설정을 확인해주세요. 내부 네트워크나 VPN으로 접속했다면 정상입니다.',
      )}
    </Note>
  )
}

const inside = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

const rangeOf = (text: string): string | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text).range() : undefined

/**
 * Whether the server sees a proxy's address in place of the visitor's: one from inside a network, on a page that
 * was opened by a name. Who opens it by an address of such a network is inside himself, as is a local system.
 * @internal
 */
export function isProxyAddress(ip: string, pageHost: string): boolean {
  const range = rangeOf(ip)
  if (range === undefined || !inside.has(range)) return false
  const own = pageHost === 'localhost' ? 'loopback' : rangeOf(pageHost.replace(/^\[|\]$/g, ''))
  return own === undefined || own !== range
}
