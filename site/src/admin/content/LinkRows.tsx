import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { BothFields, useContentForm } from './ContentForm.tsx'
import { emptyLink } from './content-draft.ts'
import { withAt } from './edit.ts'
import styles from './PrizeEditor.module.css'
import { RowTools } from './RowTools.tsx'

/** Where people can read more: of the maker, of the shop. */
export function LinkRows() {
  const { draft, wrong, edit } = useContentForm()
  const { links } = draft
  return (
    <fieldset className={styles.rows} tabIndex={-1} data-list>
      <legend>{t('링크')}</legend>
      {links.map(({ id, url }, at) => (
        <fieldset key={id} className={styles.fact} aria-label={t('링크 {at}', { at: at + 1 })} data-tight>
          <span className={styles.number}>{at + 1}</span>
          <div className={styles.both}>
            <BothFields label={t('이름')} path={`links.${at}.label`} max={most.label} isShort />
            <TextField
              label={t('주소')}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              isMono
              value={url}
              error={wrong[`links.${at}.url`]}
              onChange={(text) => edit((newest) => withAt(newest, `links.${at}.url`, text))}
            />
          </div>
          <RowTools name={t('링크 {at}', { at: at + 1 })} path="links" at={at} count={links.length} />
        </fieldset>
      ))}
      <Button
        tone="edged"
        size="compact"
        icon={plusIcon}
        disabled={links.length >= most.links}
        onClick={() => edit((newest) => ({ ...newest, links: [...newest.links, emptyLink()] }))}
      >
        {t('링크 추가')}
      </Button>
    </fieldset>
  )
}
