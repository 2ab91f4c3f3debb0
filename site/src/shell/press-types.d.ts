declare module 'astro' {
  interface AstroClientDirectives {
    'client:press'?: boolean | string
    'client:near'?: string
  }
}

export {}
