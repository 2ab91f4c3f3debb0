import { createRoot } from 'react-dom/client'
import { startTooltips } from '../../shell/tooltips.ts'
import { takeNotice } from '../session/token.ts'
import { Login } from './LoginForm.tsx'

const place = document.getElementById('admin')
if (place) createRoot(place).render(<Login notice={takeNotice()} />)
startTooltips()
