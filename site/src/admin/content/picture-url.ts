import { apiBase } from '../../shell/api.ts'

export const pictureUrl = ({ key }: { key: string }): string => `${apiBase}/api/uploads/${key}`
