import { Component, type ComponentType, type ReactNode } from 'react'

/** So often an island may fail at once; after that it stays empty, as it would fail for ever. */
const mostAtOnce = 5
const atOnceMs = 1_000

/** An island that fails, as under a translator, is mounted anew. What has to outlive that stands in a store. */
export const island = <P extends object>(Inside: ComponentType<P>): ComponentType<P> =>
  function Island(props: P) {
    return (
      <Boundary>
        <Inside {...props} />
      </Boundary>
    )
  }

class Boundary extends Component<{ children: ReactNode }, { mounted: number; hasFailed: boolean }> {
  override state = { mounted: 0, hasFailed: false }
  #failures: number[] = []

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(): void {
    const now = Date.now()
    this.#failures = [...this.#failures, now].filter((at) => now - at < atOnceMs)
    if (this.#failures.length <= mostAtOnce)
      this.setState(({ mounted }) => ({ mounted: mounted + 1, hasFailed: false }))
  }

  override render() {
    const { mounted, hasFailed } = this.state
    return hasFailed ? null : <Keyed key={mounted}>{this.props.children}</Keyed>
  }
}

const Keyed = ({ children }: { children: ReactNode }) => children
