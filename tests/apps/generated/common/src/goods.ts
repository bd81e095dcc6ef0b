/** What the shop sells, and the list as a person sorted and filtered it. */
export interface Good {
  name: string
  about: string
  /** In whole euros. */
  price: number
  /** Of five stars. */
  rating: number
}

export type Order = 'shelf' | 'name' | 'price' | 'rating'

export const ORDERS: Order[] = ['shelf', 'name', 'price', 'rating']

export const GOODS: Good[] = [
  { name: 'Gooseneck kettle', about: 'Holds one litre', price: 49, rating: 4.6 },
  { name: 'Paper filters', about: 'A hundred, unbleached', price: 6, rating: 4.1 },
  { name: 'Hand grinder', about: 'Forty settings, steel burrs', price: 89, rating: 4.8 },
  { name: 'Small scale', about: 'Weighs to a tenth of a gram', price: 35, rating: 3.9 },
  { name: 'Glass dripper', about: 'For one or two cups', price: 24, rating: 4.4 },
  { name: 'Travel mug', about: 'Keeps warm for four hours', price: 28, rating: 4.0 },
  { name: 'Espresso beans', about: 'Dark, from Sidamo', price: 14, rating: 4.7 },
]

export function shown(order: Order, words: string): Good[] {
  const goods = GOODS.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
  if (order === 'name') goods.sort((a, b) => a.name.localeCompare(b.name))
  if (order === 'price') goods.sort((a, b) => a.price - b.price)
  if (order === 'rating') goods.sort((a, b) => b.rating - a.rating)
  return goods
}
