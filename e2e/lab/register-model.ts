import type { Address } from 'viem'
import type { Debt, Mood } from './register.ts'

/** What a wallet asks of the register; a waiver has no deadline, and none is looked at. */
export type Ask = {
  do: 'pay' | 'waive'
  wallet: Address
  token: Address
  debts: Debt[]
  validUntil: bigint
}
/** An ask, or what changes the tokens around it. */
export type Step =
  | Ask
  | { do: 'approve'; wallet: Address; token: Address; units: bigint }
  | { do: 'mood'; token: Address; mood: Mood }
  | { do: 'prepare'; token: Address; ask: Ask }
type Log = { event: string } & Record<string, unknown>
export type Answer = { ok: boolean; logs: Log[] }

type State = {
  paid: Map<string, bigint>
  allowed: Map<string, bigint>
  moods: Map<Address, Mood>
  prepared: Map<Address, Ask>
}

class Refused extends Error {
  override name = 'Refused'
}

/** The register by its rules, without a chain: what each call must leave behind, log by log. */
export class RegisterModel {
  private state: State = { paid: new Map(), allowed: new Map(), moods: new Map(), prepared: new Map() }

  /** One call in a block of this time. */
  play(step: Step, time: bigint): Answer {
    switch (step.do) {
      case 'approve':
        this.state.allowed.set(`${step.wallet} ${step.token}`, step.units)
        return { ok: true, logs: [] }
      case 'mood':
        this.state.moods.set(step.token, step.mood)
        return { ok: true, logs: [] }
      case 'prepare':
        this.state.prepared.set(step.token, step.ask)
        return { ok: true, logs: [] }
      default:
        return this.ask(step, time)
    }
  }

  paid = (wallet: Address, token: Address, debtor: Address): bigint =>
    this.state.paid.get(`${wallet} ${token} ${debtor}`) ?? 0n

  /** All of it or nothing. */
  private ask(ask: Ask, time: bigint): Answer {
    const before = copyOf(this.state)
    try {
      return { ok: true, logs: ask.do === 'pay' ? this.pay(ask, time) : this.waive(ask) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.state = before
      return { ok: false, logs: [] }
    }
  }

  private waive({ wallet, token, debts }: Ask): Log[] {
    return debts.flatMap(({ debtor, total }) => {
      if (total <= this.paid(wallet, token, debtor)) return []
      this.remember(wallet, token, debtor, total)
      return [{ event: 'Waived', wallet, token, debtor, total }]
    })
  }

  private pay({ wallet, token, debts, validUntil }: Ask, time: bigint): Log[] {
    if (time > validUntil) throw new Refused()
    const isAscending = debts.every(
      ({ debtor }, index) => index === 0 || BigInt(debtor) > BigInt(debts[index - 1]?.debtor ?? 0),
    )
    if (!isAscending) throw new Refused()
    return debts.flatMap(({ debtor, payee = debtor, total }) => {
      const amount = total - this.paid(wallet, token, debtor)
      if (amount <= 0n) return []
      this.remember(wallet, token, debtor, total)
      return [
        { event: 'Paid', wallet, token, debtor, payee, amount, total },
        ...this.transfer({ wallet, token, payee, amount }, time),
      ]
    })
  }

  private transfer(
    { wallet, token, payee, amount }: { wallet: Address; token: Address; payee: Address; amount: bigint },
    time: bigint,
  ): Log[] {
    const mood = this.state.moods.get(token) ?? 'ReturnsTrue'
    if (mood === 'Reverts' || mood === 'RevertsSilently') throw new Refused()
    const between = this.callBack(token, time)
    if (mood === 'ReturnsFalse' || mood === 'ReturnsTwo' || mood === 'ReturnsOneByte') throw new Refused()
    if (mood === 'MovesNothing') return between
    const allowed = this.state.allowed.get(`${wallet} ${token}`) ?? 0n
    if (allowed < amount) throw new Refused()
    this.state.allowed.set(`${wallet} ${token}`, allowed - amount)
    const value = mood === 'TakesAFee' ? amount - amount / 10n : amount
    return [...between, { event: 'Transfer', from: wallet, to: payee, value }]
  }

  private callBack(token: Address, time: bigint): Log[] {
    const ask = this.state.prepared.get(token)
    if (!ask) return []
    this.state.prepared.delete(token)
    const { ok, logs } = this.ask(ask, time)
    return [...logs, { event: 'CalledBack', ok }]
  }

  private remember(wallet: Address, token: Address, debtor: Address, total: bigint): void {
    this.state.paid.set(`${wallet} ${token} ${debtor}`, total)
  }
}

const copyOf = ({ paid, allowed, moods, prepared }: State): State => ({
  paid: new Map(paid),
  allowed: new Map(allowed),
  moods: new Map(moods),
  prepared: new Map(prepared),
})
