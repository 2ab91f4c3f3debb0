import type { Gate } from './gate.ts'

/** In place of the button that pays. */
export function GateNotice({ gate: { kind, title, text } }: { gate: Gate }) {
  return (
    <div role="status" data-gate={kind}>
      <p>
        <b>{title}</b>
      </p>
      <p className="hint">{text}</p>
    </div>
  )
}
