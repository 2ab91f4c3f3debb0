import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { finish } from './build/finish.ts'
import { fonts } from './build/fonts.ts'

/** Adds `client:press`: an island ships no JavaScript until it is pressed. See src/lib/press.ts. */
const pressDirective = {
  name: 'blockdraw:press',
  hooks: {
    'astro:config:setup': ({ addClientDirective, config }) =>
      addClientDirective({
        name: 'press',
        entrypoint: new URL('lib/press.ts', config.srcDir).pathname,
      }),
  },
}

export default defineConfig({
  // The address visitors type, where it is known: shared links and search engines want whole addresses.
  ...(process.env.PUBLIC_SITE_URL && { site: process.env.PUBLIC_SITE_URL }),
  integrations: [react(), pressDirective, fonts(), finish()],
  // Line breaks between words stay spaces.
  compressHTML: true,
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  vite: { plugins: [tailwindcss()], build: { assetsInlineLimit: 0 } },
})
