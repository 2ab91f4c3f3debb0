import { contentJourney } from './journeys/content.ts'
import { drawJourney } from './journeys/draw.ts'
import { prizeJourney } from './journeys/prize.ts'
import { openAdminStory } from './lab/admin-story.ts'

// One event and the next one, each journey where the one before ends.
const claimDays = 7
const admin = openAdminStory({ CLAIM_DAYS: `${claimDays}` })
drawJourney(admin)
prizeJourney(admin, claimDays)
contentJourney(admin)
