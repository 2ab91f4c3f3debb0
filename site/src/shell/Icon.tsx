import { iconBody } from './icon.ts'

export function Icon({ svg, className = '' }: { svg: string; className?: string | undefined }) {
  return (
    <svg
      className={`icon ${className}`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of lucide-static, known at build time
      dangerouslySetInnerHTML={{ __html: iconBody(svg) }}
    />
  )
}
