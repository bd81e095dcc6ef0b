/** Orders that others make: one every two seconds, the newest first, six kept. */
const TOWNS = ['Bremen', 'Graz', 'Lyon', 'Ghent', 'Turku', 'Porto', 'Brno', 'Cork', 'Lund']

export interface Feed {
  count: number
  latest: string[]
}

export const begin = (): Feed => ({ count: 0, latest: [] })

export function next({ count, latest }: Feed): Feed {
  const town = TOWNS[Math.floor(Math.random() * TOWNS.length)]
  return { count: count + 1, latest: [`${town}, ${1 + Math.floor(Math.random() * 5)} items`, ...latest].slice(0, 6) }
}

export const clock = () => new Date().toLocaleTimeString('en-GB')
