export const MarkDrawing = () => (
  <svg viewBox="0 0 32 24" width="30" height="22" strokeWidth="1.75" aria-hidden="true">
    <path
      fill="var(--gold)"
      stroke="var(--ink)"
      strokeLinejoin="round"
      d="M1.500 2h29v5.500a4.500 4.500 0 0 0 0 9V22h-29v-5.500a4.500 4.500 0 0 0 0-9z"
    />
    <path
      fill="none"
      stroke="var(--print)"
      strokeLinecap="round"
      d="M16 8h6.500M16 12h9M16 16h6.500M11 6.500v.01M11 10.200v.01M11 13.800v.01M11 17.500v.01"
    />
  </svg>
)
