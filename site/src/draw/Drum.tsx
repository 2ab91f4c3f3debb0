import { useEffect, useRef } from 'react'
import { type Ball, ballRadius, digits, fillDrum, turnDrum } from './drum.ts'
import { flashMs } from './overlay-state.ts'

const colours = {
  paper: ['#EFE6D2', '#CDBFA0'],
  ink: ['#3A332A', '#262019'],
  gold: ['#E8B23E', '#B98420'],
} as const
const line = '#C6BCA9'

/** The drum of 50 numbered balls on a canvas. Decoration: its words are told beside it. */
export function Drum({ isTurning, isCalm }: { isTurning: boolean; isCalm: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const turning = useRef(isTurning)
  turning.current = isTurning

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const balls = fillDrum(Math.random)
    for (let n = 0; n < 120; n++) turnDrum(balls, 0.02, 0)
    let frame = 0
    let last = performance.now()
    let flashed = 0
    let stir = 0
    const paint = (now: number) => {
      const seconds = Math.min(0.05, (now - last) / 1000)
      last = now
      if (!isCalm) {
        stir += ((turning.current ? 1 : 0) - stir) * Math.min(1, seconds * 2)
        turnDrum(balls, seconds, stir)
        if (turning.current && now - flashed > flashMs) {
          flashed = now
          for (let n = 0; n < 3; n++)
            (balls[Math.floor(Math.random() * balls.length)] as Ball).text = digits(Math.random)
        }
      }
      drawDrum(context, element, balls, isCalm ? 0 : now / 1000)
      if (!isCalm) frame = requestAnimationFrame(paint)
    }
    frame = requestAnimationFrame(paint)
    return () => cancelAnimationFrame(frame)
  }, [isCalm])

  return (
    <div className="drum" aria-hidden="true">
      <canvas ref={canvas} width={600} height={690} />
    </div>
  )
}

function drawDrum(
  context: CanvasRenderingContext2D,
  element: HTMLCanvasElement,
  balls: Ball[],
  time: number,
): void {
  const scale = Math.min(3, devicePixelRatio || 1)
  const width = element.clientWidth * scale
  if (element.width !== Math.round(width)) {
    element.width = Math.round(width)
    element.height = Math.round(width * 1.15)
  }
  const radius = element.width * 0.43
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, element.width, element.height)
  context.translate(element.width * 0.48, radius + element.width * 0.03)
  context.scale(radius, radius)
  drawStand(context)
  drawWires(context, time)
  for (const ball of balls) drawBall(context, ball)
  context.strokeStyle = line
  circle(context, 0, 0, 1, 0.0125)
  circle(context, 0, 0, 0.955, 0.005)
}

function drawStand(context: CanvasRenderingContext2D): void {
  context.strokeStyle = line
  context.lineWidth = 0.012
  context.beginPath()
  for (const side of [-1, 1]) {
    context.moveTo(side * 0.68, 0.73)
    context.lineTo(side * 0.86, 1.26)
    context.moveTo(side * 0.48, 0.88)
    context.lineTo(side * 0.6, 1.26)
  }
  context.moveTo(1, 0)
  context.lineTo(1.1, 0)
  context.lineTo(1.1, -0.2)
  context.stroke()
  context.fillStyle = '#E8B23E'
  context.fillRect(-1.0, 1.26, 2.0, 0.045)
  context.beginPath()
  context.arc(1.1, -0.22, 0.036, 0, 7)
  context.fill()
  context.fillStyle = '#0F0D0A'
  context.beginPath()
  context.arc(0, 0, 1, 0, 7)
  context.fill()
}

function drawWires(context: CanvasRenderingContext2D, time: number): void {
  context.strokeStyle = '#3B342A'
  context.lineWidth = 0.004
  for (let wire = 0; wire < 4; wire++) {
    context.beginPath()
    context.ellipse(0, 0, Math.abs(Math.sin(time * 0.5 + (wire * Math.PI) / 4)), 1, 0, 0, 7)
    context.stroke()
  }
}

/** Two flat discs, the face shifted up left, and a white label with its number. */
function drawBall(context: CanvasRenderingContext2D, { x, y, angle, tone, text }: Ball): void {
  const [face, shade] = colours[tone]
  disc(context, x, y, ballRadius, shade)
  disc(context, x - 0.008, y - 0.008, ballRadius * 0.92, face)
  disc(context, x, y, ballRadius * 0.6, '#1B1712')
  disc(context, x, y, ballRadius * 0.56, '#FCF9F2')
  context.save()
  context.translate(x, y)
  context.rotate(angle)
  context.fillStyle = '#3D2B05'
  context.font = '600 0.068px "IBM Plex Mono", monospace'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, 0, 0.004)
  context.restore()
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, 7)
  context.fill()
}

function circle(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  width: number,
): void {
  context.lineWidth = width
  context.beginPath()
  context.arc(x, y, radius, 0, 7)
  context.stroke()
}
