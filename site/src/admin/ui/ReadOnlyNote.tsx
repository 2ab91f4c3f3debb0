import { useStore } from '@nanostores/react'
import eyeIcon from 'lucide-static/icons/eye.svg?raw'
import { t } from '../language/t.ts'
import { $readOnly } from '../session/session.ts'
import { Note } from './Note.tsx'

/** A read-only administrator sees everything and changes nothing. */
export function ReadOnlyNote() {
  if (!useStore($readOnly)) return null
  return (
    <Note icon={eyeIcon}>
      <b>{t('읽기 전용')}</b> {t('모든 내용을 볼 수 있고, 바꾸는 버튼은 꺼져 있습니다.')}
    </Note>
  )
}
