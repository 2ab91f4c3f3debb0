const welcomeMs = 1_500

/** Goes on once the welcome could be read; answers with how to give that up. */
export function afterWelcome(go: () => void): () => void {
  const timer = setTimeout(go, welcomeMs)
  return () => clearTimeout(timer)
}
