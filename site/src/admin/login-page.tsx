import { createRoot } from 'react-dom/client'
import { takeNotice } from './lib/token.ts'
import { Login } from './login/Login.tsx'

const place = document.getElementById('admin')
if (place) createRoot(place).render(<Login notice={takeNotice()} />)
