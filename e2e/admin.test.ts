import { dashboardJourney } from './journeys/dashboard.ts'
import { demoJourney } from './journeys/demo.ts'
import { loginJourney } from './journeys/login.ts'
import { settingsJourney } from './journeys/settings.ts'
import { openAdminStory } from './lab/admin-story.ts'

// In this order no journey waits for what another one has done; each begins from whatever the one before has left.
const admin = openAdminStory({}, { demoWallet: true })
loginJourney(admin)
dashboardJourney(admin)
settingsJourney(admin)
demoJourney(admin.story)
