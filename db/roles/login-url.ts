/** The same database for another login. */
export function withLogin(databaseUrl: string, user: string, password: string): string {
  const url = new URL(databaseUrl)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
