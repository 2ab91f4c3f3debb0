/** What a command answers to its user instead of doing it, and the exit code that it ends with. */
export class CliRefusal extends Error {
  override name = 'CliRefusal'
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message)
  }
}
