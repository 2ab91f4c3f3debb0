import { site } from '../../content/site.ts'

/** The notched ticket before the word, as in shell/Mark.astro. */
export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 24" width="30" height="22" aria-hidden="true">
        <path
          fill="var(--gold)"
          stroke="var(--ink)"
          strokeWidth="1.75"
          strokeLinejoin="round"
          d="M1.500 2h29v5.500a4.500 4.500 0 0 0 0 9V22h-29v-5.500a4.500 4.500 0 0 0 0-9z"
        />
        <path
          className="mark-print"
          fill="none"
          strokeWidth="1.75"
          strokeLinecap="round"
          d="M16 8h6.500M16 12h9M16 16h6.500M11 6.500v.01M11 10.200v.01M11 13.800v.01M11 17.500v.01"
        />
      </svg>
      <span className="mark-word">{site.name}</span>
    </span>
  )
}
