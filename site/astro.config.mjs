import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { appkitStyles } from './build/appkit-styles.ts'
import { finish } from './build/finish.ts'
import { fonts } from './build/fonts.ts'
import { preloadIntegrity } from './build/preload-integrity.ts'
import { scopedName } from './build/scoped-name.ts'
import { pinToken } from './build/token.ts'

/**
 * Adds `client:press`: an island ships no JavaScript until it is pressed; and `client:near`: until it is near the screen, or soon
 * will be. See src/shell/press.ts, near.ts.
 */
const ownDirectives = {
  name: 'blockdraw:directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective, config }) => {
      for (const name of ['press', 'near'])
        addClientDirective({ name, entrypoint: new URL(`shell/${name}.ts`, config.srcDir).pathname })
    },
  },
}

/**
 * What every visit of the public page needs, in one file: a dozen small ones would load half as fast. These
 * modules have no side effects when loaded, as other pages share some of them.
 */
const firstView = new RegExp(
  [
    'node_modules/nanostores/',
    'core/(live|event|errors|usdt)\\.ts',
    'src/content/site\\.ts',
    'src/live/(clock|countdown|facts|history|live|live-source|page-changes|shared-source|stage)\\.ts',
    'src/buy/(by-hand|sale)\\.ts',
    'src/shell/(api|dates|early|language|section|storage|theme|toast)\\.ts',
    'src/house/gate\\.ts',
    'src/texts/(fill|index)\\.ts',
    'src/wallet/(eip1193|pinned|token|wallet)\\.ts',
    'src/winner/(courier|overlay|overlay-state)\\.ts',
  ].join('|'),
)

/** What every island needs, in one file for the same reason, and a drawing too small for a file of its own. */
const everyIsland =
  /node_modules\/(react|react-dom|scheduler|@nanostores\/react|@astrojs\/react)\/|src\/shell\/TicketOutline\.tsx/

/** AppKit's icons are sixty files of a line or two, and each would have its own hash in the page. */
const icons = /node_modules\/@phosphor-icons\//

export default defineConfig({
  // The public address, where it is known: shared links and search engines need absolute URLs.
  ...(process.env.PUBLIC_SITE_URL && { site: process.env.PUBLIC_SITE_URL }),
  integrations: [pinToken(), react(), ownDirectives, fonts(), finish()],
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
                  { name: 'page', test: firstView },
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
