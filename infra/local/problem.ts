/** Something the person at the keyboard can put right: shown as its sentence alone, without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
