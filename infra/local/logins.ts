import { createHmac } from 'node:crypto'
import { withLogin } from '../../db/roles/login-url.ts'
import type { Passwords } from '../../db/roles/logins.ts'
import { ownerRole, type RoleName, roles } from '../../db/roles/rights.ts'

/** Made from the password above it: who has only its own cannot find another's. */
const derived = (password: string, login: string): string =>
  createHmac('sha256', password).update(login).digest('base64url')

const server = (port: number | string): string => `postgres://127.0.0.1:${port}/blockdraw`

/** `password` is the one that the cluster was made with. */
export const superuserLogin = (port: number | string, password: string): string =>
  withLogin(server(port), 'postgres', password)

/** The owner of the embedded database; `password` is the one that the cluster was made with. */
export const ownerLogin = (port: number | string, password: string): string =>
  withLogin(server(port), ownerRole, derived(password, ownerRole))

/** The owner of the same database, from the superuser's URL. @internal */
export function ownerOf(superuserUrl: string): string {
  const password = decodeURIComponent(new URL(superuserUrl).password)
  return withLogin(superuserUrl, ownerRole, derived(password, ownerRole))
}

/** The embedded database for a program, from the owner's URL. @internal */
export const loginOf = (ownerUrl: string, role: RoleName): string =>
  withLogin(ownerUrl, roles[role], passwordOf(ownerUrl, role))

/** What the owner gives the logins of the programs. */
export const loginPasswords = (ownerUrl: string): Passwords => ({
  api: passwordOf(ownerUrl, 'api'),
  worker: passwordOf(ownerUrl, 'worker'),
  backup: passwordOf(ownerUrl, 'backup'),
})

const passwordOf = (ownerUrl: string, role: RoleName): string =>
  derived(decodeURIComponent(new URL(ownerUrl).password), roles[role])
