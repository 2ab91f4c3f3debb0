import {
  contrastsOf,
  isColour,
  isEmail,
  leastContrast,
  mostOf,
  troubleOf,
} from '../../../../core/house/branding.ts'
import { site } from '../../content/site.ts'
import type { Answer } from '../../shell/answers.ts'
import { Muted, Pair } from '../../shell/Layout.tsx'
import { PrizeImage } from '../event/next-form.tsx'
import { t } from '../language/t.ts'
import { pictureUrl } from '../preview/message.ts'
import { api, call } from '../session/session.ts'
import { Folded } from '../ui/card.tsx'
import { TextField } from '../ui/Field.tsx'
import { custom, type Input, text, url } from '../ui/fields.tsx'
import { Fields, FormPlace, SaveRow, useDraft } from '../ui/form.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'

export function Branding() {
  const branding = useResource(() => call(() => api.branding.get()))
  return (
    <Folded
      title={t('브랜드')}
      state={<Muted size={14}>{t('이름, 로고, 색, 링크')}</Muted>}
      reason={t('비워 두면 처음 만들어진 대로 보입니다. 저장하면 공개 페이지에 바로 반영됩니다.')}
    >
      <Loaded from={branding}>{(saved) => <Form saved={saved} onSaved={branding.reload} />}</Loaded>
    </Folded>
  )
}

function Form({ saved, onSaved }: { saved: SavedBranding; onSaved: () => Promise<void> }) {
  const form = useDraft({
    ...{ saved, version: saved.version, fields: brandingFields, reload: onSaved },
    save: (body) => call(() => api.branding.patch(body)),
    failure: t('브랜드를 저장하지 못했습니다'),
    told: () => [t('브랜드를 저장했습니다'), t('공개 페이지에 바로 반영됩니다.')],
    undo: ({ version }) => version,
  })
  return (
    <FormPlace of={form}>
      <Fields of={form} names={['logo']} />
      <Pair>
        <Fields
          of={form}
          names={['name', 'accent', 'supportEmail', 'shopUrl', 'socialUrl', 'socialName', 'copyright']}
        />
      </Pair>
      <SaveRow of={form} label={t('브랜드 저장')} />
    </FormPlace>
  )
}

export type SavedBranding = Answer<'get', '/api/admin/branding'>

const builtAccent = '#e3aa2b'

/** What is left empty is as the page was built, which each placeholder says. @internal */
export const brandingFields = {
  name: text({ label: t('사이트 이름'), max: mostOf.name, placeholder: site.name }),
  logo: custom<string, string | null>({
    label: t('로고'),
    show: (saved) => (saved ? pictureUrl(saved as { key: string }) : ''),
    read: (typed) => ({ value: typed.split('/').at(-1) || null }),
    draw: (input) => <PrizeImage {...input} label={t('로고')} />,
  }),
  accent: custom<string, string | null>({
    label: t('강조색'),
    show: (saved) => (saved as string | null) ?? '',
    read: (typed) => {
      const colour = typed.trim().toLowerCase()
      if (colour === '') return { value: null }
      return isColour(colour) ? { value: colour } : { wrong: t('#e3aa2b 같은 색상 값을 입력하세요.') }
    },
    check: (colour) => {
      const trouble = colour === null ? undefined : troubleOf(colour)
      return trouble && troubleTexts[trouble]
    },
    draw: (input) => <Accent {...input} />,
  }),
  supportEmail: text({
    ...{ label: t('지원 이메일'), type: 'email', placeholder: site.supportEmail },
    check: (value) => (value === null || isEmail(value) ? undefined : t('올바른 이메일 주소를 입력하세요.')),
  }),
  socialUrl: url({ label: t('소셜 링크'), max: 2_048, placeholder: site.socialUrl }),
  socialName: text({ label: t('소셜 링크 이름'), max: mostOf.socialName, placeholder: site.socialName }),
  shopUrl: url({ label: t('쇼핑몰 링크'), max: 2_048, placeholder: site.shopUrl }),
  copyright: text({ label: t('저작권 표시'), max: mostOf.copyright, placeholder: site.copyright }),
}

const troubleTexts = {
  accentDark: t('버튼 위 글자를 읽기 어렵습니다. 더 밝은 색을 골라주세요.'),
  accentLight: t('종이 위에서 잘 보이지 않습니다. 더 어두운 색을 골라주세요.'),
}

function Accent({ value, set, error, locked }: Input<string>) {
  const colour = value.trim().toLowerCase()
  return (
    <TextField
      label={t('강조색')}
      placeholder={builtAccent}
      hint={isColour(colour) ? contrastText(colour) : t('금색 대신 버튼과 티켓에 쓰입니다.')}
      autoComplete="off"
      spellCheck={false}
      isMono
      {...{ value, error, locked }}
      onChange={set}
      after={
        <input
          type="color"
          aria-label={t('색 고르기')}
          value={isColour(colour) ? colour : builtAccent}
          onChange={({ target }) => set(target.value)}
        />
      }
    />
  )
}

function contrastText(colour: string): string {
  const { button, paper } = contrastsOf(colour)
  return t('대비: 버튼 글자 {button}:1, 종이 위 {paper}:1. {least}:1 이상이어야 합니다.', {
    button: button.toFixed(1),
    paper: paper.toFixed(1),
    least: `${leastContrast}`,
  })
}
