import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import { t } from '../texts/index.ts'
import { useCopy } from './hooks.ts'
import { Icon } from './Icon.tsx'
import { Stack } from './Layout.tsx'
import { termsMarkup } from './term-text.ts'
import { trustedMarkup } from './trusted.ts'

/** The terms, field by field; the line as it is, folded. */
export function TermsList({ line }: { line: string }) {
  const { isCopied, copy } = useCopy(line)
  return (
    <Stack gap={16}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by our own template */}
      <div dangerouslySetInnerHTML={{ __html: trustedMarkup(termsMarkup(line).markup) }} />
      <details className="fold">
        <summary>{t.terms.line}</summary>
        <p className="hint">{t.terms.lineText}</p>
        <p className="address" data-terms-line>
          {line.trimEnd()}
        </p>
        <button type="button" className="button edged compact" onClick={copy}>
          <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
          <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
        </button>
      </details>
    </Stack>
  )
}
