import { signsOf } from '../../../../core/content/clean-text.ts'
import { type LegalKind, mostLegalSigns } from '../../../../core/house/rules.ts'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/Dialog.tsx'
import { inWords } from '../ui/dates.ts'
import { multiLine } from '../ui/fields.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { count } from '../ui/numbers.ts'
import type { HouseRules } from './rules-form.ts'

type Props = { kind: LegalKind; rules: HouseRules; onSaved: () => Promise<void> }

const titles: Record<LegalKind, string> = { terms: t('이용약관'), privacy: t('개인정보 처리방침') }

/** One text in both languages; what is typed stays when the other form is saved. */
export function LegalTextForm({ kind, rules, onSaved }: Props) {
  const saved = rules[kind]
  const { version } = rules
  const title = titles[kind]
  const area = (language: string) =>
    multiLine({
      label: `${title} (${language})`,
      rows: 10,
      missing: t('영어와 한국어를 모두 입력하세요.'),
      hint: (typed) =>
        t('{signsOf} / {mostLegalSigns}자. 빈 줄로 문단을 나누고, “## ”로 시작하는 줄은 제목이 됩니다.', {
          signsOf: count(signsOf(typed)),
          mostLegalSigns: count(mostLegalSigns),
        }),
      check: (text) => (signsOf(text ?? '') > mostLegalSigns ? t('글이 너무 깁니다.') : undefined),
    })
  const form = useDraft({
    saved: saved ?? {},
    version,
    fields: { ko: area(t('한국어')), en: area(t('영어')) },
    isWhole: true,
    ask: () => asked(title),
    save: ({ en, ko }) =>
      call(() => api['house-rules'].texts.put({ kind, text: { en: en ?? '', ko: ko ?? '' }, version })),
    reload: onSaved,
    failure: t('{title}을 게시하지 못했습니다', { title }),
    told: () => [t('{title}을 게시했습니다', { title }), t('새 버전이 공개되었습니다.')],
  })
  return (
    <details>
      <summary>{title}</summary>
      <FormPlace of={form} className="stack gap-20">
        <p className="hint break">
          {saved
            ? t('게시 중: {sha256}, {savedAt} 저장', {
                sha256: saved.sha256,
                savedAt: inWords(saved.savedAt),
              })
            : t('게시된 글이 없습니다.')}
        </p>
        <Fields of={form} names={['ko', 'en']} />
        <Row>
          <Button writes type="submit" disabled={!form.isDirty} isBusy={form.isBusy}>
            {t('{title} 게시', { title })}
          </Button>
          {saved && <ActionButton action={takeDown} row={{ kind, version }} onDone={onSaved} />}
        </Row>
      </FormPlace>
    </details>
  )
}

const asked = async (title: string) => {
  const isSure = await confirm({
    title: t('{title} 새 버전 게시', { title }),
    body: t(
      '바로 공개되고, 동의를 받는 중이면 구매자에게 다시 묻습니다. 게시한 버전은 지울 수 없으며 누구나 볼 수 있습니다.',
    ),
    action: t('게시'),
  })
  return isSure ? {} : undefined
}

const takeDown: Action<{ kind: LegalKind; version: number }> = {
  name: t('내리기'),
  failure: t('글을 내리지 못했습니다'),
  tone: 'danger-edged',
  writes: true,
  ask: ({ kind }) => ({
    title: t('{title} 내리기', { title: titles[kind] }),
    body: t('페이지와 링크에서 사라집니다. 지난 버전은 공개 기록으로 남습니다.'),
    action: t('내리기'),
    tone: 'danger',
  }),
  run: ({ kind, version }) => call(() => api['house-rules'].texts.put({ kind, text: null, version })),
  told: ({ kind }) => [
    t('{title}을 내렸습니다', { title: titles[kind] }),
    t('지난 버전은 기록으로 남습니다.'),
  ],
}
