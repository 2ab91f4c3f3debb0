import { useEffect, useRef } from 'react'
import { type Ball, ballRadius, digits, fillDrum, turnDrum } from './drum.ts'
import styles from './Overlay.module.css'
import { flashMs } from './overlay.ts'

const colours = {
  paper: ['#EFE6D2', '#CDBFA0'],
  ink: ['#3A332A', '#262019'],
  gold: ['#E8B23E', '#B98420'],
} as const
const line = '#C6BCA9'
/** Half a sprite's side, in radii of the drum: the ball and the shift of its face. */
const ballReach = ballRadius + 0.01
const labelReach = ballRadius * 0.6

/** The drum of 50 numbered balls on a canvas. Decoration: the text beside it says the same. */
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
    let sprites: Sprites | undefined
    let size = 0
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
      fitCanvas(element)
      if (!sprites || size !== element.width) sprites = openSprites(radiusOf(element))
      size = element.width
      drawDrum(context, element, balls, sprites, isCalm ? 0 : now / 1000)
      if (!isCalm) frame = requestAnimationFrame(paint)
    }
    frame = requestAnimationFrame(paint)
    return () => cancelAnimationFrame(frame)
  }, [isCalm])

  return (
    <div className={styles.drum} aria-hidden="true">
      <canvas ref={canvas} width={600} height={690} />
    </div>
  )
}

const radiusOf = (element: HTMLCanvasElement): number => element.width * 0.43

/** A pixel ratio of two is sharp enough; more would lower a phone's frame rate. */
function fitCanvas(element: HTMLCanvasElement): void {
  const width = Math.round(element.clientWidth * Math.min(2, devicePixelRatio || 1))
  if (element.width === width) return
  element.width = width
  element.height = Math.round(width * 1.15)
}

function drawDrum(
  context: CanvasRenderingContext2D,
  element: HTMLCanvasElement,
  balls: Ball[],
  sprites: Sprites,
  time: number,
): void {
  const radius = radiusOf(element)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, element.width, element.height)
  context.translate(element.width * 0.48, radius + element.width * 0.03)
  context.scale(radius, radius)
  drawStand(context)
  drawWires(context, time)
  for (const { x, y, tone } of balls)
    context.drawImage(sprites.ball[tone], x - ballReach, y - ballReach, 2 * ballReach, 2 * ballReach)
  drawNumbers(context, balls, sprites)
  context.strokeStyle = line
  ring(context, 1, 0.0125)
  ring(context, 0.955, 0.005)
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
  disc(context, 1.1, -0.22, 0.036, '#E8B23E')
  disc(context, 0, 0, 1, '#0F0D0A')
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

function drawNumbers(context: CanvasRenderingContext2D, balls: readonly Ball[], sprites: Sprites): void {
  for (const { x, y, angle, text } of balls) {
    context.save()
    context.translate(x, y)
    context.rotate(angle)
    context.drawImage(sprites.number(text), -labelReach, -labelReach, 2 * labelReach, 2 * labelReach)
    context.restore()
  }
}

function drawBall(context: CanvasRenderingContext2D, tone: Ball['tone']): void {
  const [face, shade] = colours[tone]
  disc(context, 0, 0, ballRadius, shade)
  disc(context, -0.008, -0.008, ballRadius * 0.92, face)
  disc(context, 0, 0, ballRadius * 0.6, '#1B1712')
  disc(context, 0, 0, ballRadius * 0.56, '#FCF9F2')
}

type Sprites = { ball: Record<Ball['tone'], HTMLCanvasElement>; number: (text: string) => HTMLCanvasElement }

/** Sprites painted once per size: 200 discs and 50 texts a frame would be too much for a slow phone. */
function openSprites(radius: number): Sprites {
  const paint = (reach: number, draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = Math.ceil(2 * reach * radius)
    const context = canvas.getContext('2d')
    context?.setTransform(radius, 0, 0, radius, canvas.width / 2, canvas.width / 2)
    if (context) draw(context)
    return canvas
  }
  const ball = (tone: Ball['tone']) => paint(ballReach, (context) => drawBall(context, tone))
  const numbers = new Map<string, HTMLCanvasElement>()
  return {
    ball: { paper: ball('paper'), ink: ball('ink'), gold: ball('gold') },
    number: (text) => {
      if (numbers.size > 200) numbers.clear()
      const known = numbers.get(text) ?? paint(labelReach, (context) => drawNumber(context, text, radius))
      numbers.set(text, known)
      return known
    },
  }
}

/** In pixels: a font of less than one is rounded, and its digits lie on each other. */
function drawNumber(context: CanvasRenderingContext2D, text: string, radius: number): void {
  context.scale(1 / radius, 1 / radius)
  context.fillStyle = '#3D2B05'
  context.font = `600 ${0.054 * radius}px "IBM Plex Mono", monospace`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, 0, 0.004 * radius)
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, 7)
  context.fill()
}

function ring(context: CanvasRenderingContext2D, radius: number, width: number): void {
  context.lineWidth = width
  context.beginPath()
  context.arc(0, 0, radius, 0, 7)
  context.stroke()
}
