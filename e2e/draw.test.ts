import { contentJourney } from './journeys/content.ts'
import { drawJourney } from './journeys/draw.ts'
import { openAdminStory } from './lab/admin-story.ts'

const admin = openAdminStory()
drawJourney(admin)
// The event before the next one is to have a winner.
contentJourney(admin)
