import { useStore } from '@nanostores/react'
import userIcon from 'lucide-static/icons/circle-user-round.svg?raw'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import logoutIcon from 'lucide-static/icons/log-out.svg?raw'
import { type ReactNode, useState } from 'react'
import { site } from '../../content/site.ts'
import { $config } from '../../live/live.ts'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import {
  canUsePasskeys,
  codeField,
  PasskeyButton,
  passwordField,
  signWithPasskey,
} from '../passkey/second-factor.tsx'
import {
  $readOnly,
  $reauth,
  $username,
  answerOf,
  api,
  type DataOf,
  expiredText,
  isRefusal,
  isSessionOver,
  logout,
  saveLanguage,
  toLogin,
} from '../session/session.ts'
import { Button, Dialog, DialogActions, DialogText } from '../ui/action.tsx'
import { Badge } from '../ui/card.tsx'
import { Cancelled, errorText, Trouble } from '../ui/error-text.ts'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { HomeLink, LanguageButton, ThemeButton } from './Bar.tsx'
import styles from './desk.module.css'

export const useSiteName = (): string => useStore($config)?.branding.name ?? site.name

type Props = { title?: string; state?: ReactNode; side?: ReactNode; children: ReactNode }

export function Frame({ title, state, side, children }: Props) {
  const username = useStore($username)
  const readOnly = useStore($readOnly)
  const name = useSiteName()
  return (
    <div className={styles.frame}>
      <aside className={styles.sidebar}>
        <HomeLink name={name} />
        {side}
      </aside>
      <header className={`row whole ${styles.bar}`}>
        <HomeLink name={name} />
        <a className="button plain small only-wide" href="/" target="_blank" rel="noreferrer">
          <Icon svg={externalIcon} />
          {t('공개 페이지')}
        </a>
        <LanguageButton save={saveLanguage} />
        <ThemeButton />
        {username && (
          <span className={`row whole gap-8 ${styles.user}`}>
            <Icon svg={userIcon} className="only-wide" />
            <b>{username}</b>
            {readOnly && (
              <span className="only-wide">
                <Badge tone="plain">{t('읽기 전용')}</Badge>
              </span>
            )}
          </span>
        )}
        <Button tone="edged" size="small" icon={logoutIcon} onClick={() => void logout()}>
          {t('로그아웃')}
        </Button>
      </header>
      <main id="main" className={`stack gap-20 ${styles.main}`}>
        <div className={`row gap-16 ${styles.title}`}>
          <h1 tabIndex={-1}>{title}</h1>
          {state}
        </div>
        {children}
      </main>
      <ReauthDialog />
    </div>
  )
}

function ReauthDialog() {
  const asking = useStore($reauth)
  return asking ? <Open {...asking} /> : null
}

const fields = { password: passwordField({ autoFocus: true }), otpCode: codeField() }

function Open({ done, cancel }: NonNullable<ReturnType<typeof $reauth.get>>) {
  const username = useStore($username) ?? ''
  const [needsCode, setNeedsCode] = useState(false)
  const [second, setSecond] = useState<DataOf<Awaited<ReturnType<typeof api.reauth.passkey.post>>>>()
  const form = useDraft({
    isSent: true,
    isWhole: true,
    fields,
    async save({ password, otpCode }, { way }) {
      if (needsCode && !otpCode && !way) throw new Trouble(t('2차 인증 코드를 입력하세요.'))
      const signed = way && {
        passkey: await signWithPasskey((await answerOf(api.reauth.passkey.post())).passkey),
      }
      try {
        await answerOf(api.reauth.post({ password: password ?? '', ...(signed || (otpCode && { otpCode })) }))
      } catch (error) {
        if (isRefusal(error, 'UNAUTHENTICATED') && isSessionOver(error)) toLogin(expiredText)
        else if (isRefusal(error, 'OTP_REQUIRED')) {
          setNeedsCode(true)
          if (canUsePasskeys()) setSecond(await answerOf(api.reauth.passkey.post()).catch(() => undefined))
        } else throw error
        throw new Cancelled()
      }
    },
    blame(error): Record<string, string> {
      if (isRefusal(error, 'INVALID_PASSKEY') || error instanceof Trouble)
        return { otpCode: errorText(error, '') }
      if (isRefusal(error, 'INVALID_OTP', 'INVALID_OTP_FORMAT'))
        return { otpCode: t('잘못된 인증 코드입니다. 다시 시도하세요.') }
      return { password: errorText(error, t('확인하지 못했습니다. 다시 시도해주세요.')) }
    },
    done,
  })
  return (
    <Dialog title={t('본인 확인')} onClose={cancel}>
      <FormPlace of={form} className="stack gap-16">
        <DialogText>{t('변경하려면 비밀번호를 다시 입력하세요. 확인은 10분 동안 유지됩니다.')}</DialogText>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Fields of={form} names={['password']} />
        {needsCode && second?.passkey && (
          <PasskeyButton isBusy={form.isBusy} onClick={(event) => form.submit(event, 'passkey')} />
        )}
        {needsCode && form.wrong.otpCode && second?.otp === false && (
          <p className="field-error" role="alert">
            {form.wrong.otpCode}
          </p>
        )}
        {needsCode && second?.otp !== false && <Fields of={form} names={['otpCode']} />}
        <DialogActions>
          <Button tone="plain" onClick={cancel}>
            {t('취소')}
          </Button>
          <Button type="submit" isBusy={form.isBusy}>
            {t('확인')}
          </Button>
        </DialogActions>
      </FormPlace>
    </Dialog>
  )
}
