import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { appkitStyles } from './build/appkit-styles.ts'
import { finish } from './build/finish.ts'
import { importedBy } from './build/first-view.ts'
import { fonts } from './build/fonts.ts'
import { preloadIntegrity } from './build/preload-integrity.ts'
import { pinToken } from './build/token.ts'

/** Adds `client:press`: an island ships no JavaScript until it is pressed (src/shell/press.ts). */
const pressDirective = {
  name: 'blockdraw:press',
  hooks: {
    'astro:config:setup': ({ addClientDirective, config }) =>
      addClientDirective({ name: 'press', entrypoint: new URL('shell/press.ts', config.srcDir).pathname }),
  },
}

/** `buy_total`: the class `total` of `buy.module.css`. Said by file and part, it is the same in every build. */
const scopedName = (part, file) => `${basename(file, '.module.css')}_${part}`

const firstView = importedBy(fileURLToPath(new URL('src/shell/page.ts', import.meta.url)))

/** What every island needs, in one file for the same reason, and parts too small for files of their own. */
const everyIsland =
  /node_modules\/(react|react-dom|scheduler|@nanostores\/react|@astrojs\/react)\/|src\/shell\/Parts\.tsx/

/** AppKit's icons are sixty files of a line or two, and each would have its own hash in the page. */
const icons = /node_modules\/@phosphor-icons\//

export default defineConfig({
  // The public address, where it is known: shared links and search engines need absolute URLs.
  ...(process.env.PUBLIC_SITE_URL && { site: process.env.PUBLIC_SITE_URL }),
  integrations: [pinToken(), react(), pressDirective, fonts(), finish()],
  // Line breaks between words stay spaces.
  compressHTML: true,
  scopedStyleStrategy: 'where',
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  vite: {
    plugins: [preloadIntegrity(), appkitStyles()],
    css: { modules: { generateScopedName: scopedName } },
    build: { assetsInlineLimit: 0 },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: {
                groups: [
                  {
                    name: 'page',
                    test: (id) => firstView.has(id) || id.includes('node_modules/nanostores/'),
                  },
                  { name: 'react', test: everyIsland },
                  { name: 'icons', test: icons },
                ],
              },
            },
          },
        },
      },
    },
  },
})
