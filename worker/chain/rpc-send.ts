export type Call = { method: string; params: readonly unknown[] }

/** A call or a batch as it is sent. */
export type Message = Call & { id: number }
/** Sends a message and returns the parsed answer, whatever it says. Throws RpcFailure. */
export type Send = (
  body: Message | readonly Message[],
  limits: { maxBytes: number; timeoutMs: number },
) => Promise<unknown>
