/** Balls in a turning drum, in units of its radius; y grows downwards. This file draws nothing. */
export type Ball = {
  x: number
  y: number
  vx: number
  vy: number
  angle: number
  spin: number
  tone: 'paper' | 'ink' | 'gold'
  text: string
}

export const ballRadius = 0.105
const count = 50
const gravity = 2.6
const room = 1 - ballRadius - 0.02

export const fillDrum = (random: () => number): Ball[] =>
  Array.from({ length: count }, (_, index) => {
    const distance = Math.sqrt((index + 0.5) / count) * room
    const turn = index * 2.399963
    return {
      x: Math.cos(turn) * distance,
      y: Math.sin(turn) * distance,
      vx: 0,
      vy: 0,
      angle: (random() - 0.5) * 0.9,
      spin: 0,
      tone: index % 12 === 5 ? 'gold' : index % 4 === 1 ? 'ink' : 'paper',
      text: digits(random),
    }
  })

export const digits = (random: () => number): string => String(Math.floor(random() * 1000)).padStart(3, '0')

export function turnDrum(balls: Ball[], seconds: number, turning: number): void {
  const steps = Math.max(1, Math.ceil(seconds / 0.0125))
  const step = seconds / steps
  for (let n = 0; n < steps; n++) {
    for (const ball of balls) move(ball, step, turning)
    for (let pass = 0; pass < 2; pass++) separate(balls)
    for (const ball of balls) keepInside(ball)
  }
}

function move(ball: Ball, step: number, turning: number): void {
  // The paddles carry balls up on the left and let them fall on the right.
  const stir = turning * 3.4
  ball.vx += -ball.y * stir * step
  ball.vy += (gravity + ball.x * stir) * step
  const drag = 1 - 0.9 * step
  ball.vx *= drag
  ball.vy *= drag
  ball.x += ball.vx * step
  ball.y += ball.vy * step
  ball.spin += (ball.vx * 2 - ball.spin) * 4 * step
  ball.angle += ball.spin * step
}

function separate(balls: Ball[]): void {
  const wanted = ballRadius * 2
  for (let i = 0; i < balls.length; i++) {
    const a = balls[i] as Ball
    for (let j = i + 1; j < balls.length; j++) {
      const b = balls[j] as Ball
      const dx = b.x - a.x
      const dy = b.y - a.y
      const distance = Math.hypot(dx, dy)
      if (distance >= wanted || distance === 0) continue
      const push = (wanted - distance) / 2
      const [nx, ny] = [dx / distance, dy / distance]
      a.x -= nx * push
      a.y -= ny * push
      b.x += nx * push
      b.y += ny * push
      const along = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny
      if (along >= 0) continue
      const bounce = along * 0.6
      a.vx += nx * bounce
      a.vy += ny * bounce
      b.vx -= nx * bounce
      b.vy -= ny * bounce
    }
  }
}

function keepInside(ball: Ball): void {
  const distance = Math.hypot(ball.x, ball.y)
  if (distance <= room) return
  const [nx, ny] = [ball.x / distance, ball.y / distance]
  ball.x = nx * room
  ball.y = ny * room
  const along = ball.vx * nx + ball.vy * ny
  if (along <= 0) return
  ball.vx -= nx * along * 1.5
  ball.vy -= ny * along * 1.5
}
