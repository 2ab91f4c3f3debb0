import { buying } from './journeys/buying.ts'
import { pageChecks } from './journeys/page.ts'
import { policy } from './journeys/policy.ts'
import { admin } from './lab/admin-verbs.ts'
import { openStory } from './lab/story.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })

buying(story)
pageChecks(story)
policy(story)
