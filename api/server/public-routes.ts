import { Elysia } from 'elysia'
import type { PublicAnswer } from './public-answers.ts'

/**
 * The public calls as routes of the app, so that they are listed with the others. The server answers them
 * before the app: in its own route table they cost nothing but the answer.
 */
export const publicRoutes = (answers: ReadonlyMap<string, PublicAnswer>) => {
  const routes = new Elysia()
  for (const [path, answer] of answers) routes.get(path, ({ request }) => answer(request))
  return routes
}
