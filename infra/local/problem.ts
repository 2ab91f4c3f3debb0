/** A problem that the user can fix: only its sentence is shown, without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
